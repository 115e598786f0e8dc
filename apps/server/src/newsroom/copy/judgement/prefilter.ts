/** Content that is not news: it is stored as an entry and never becomes a selectable item. */
export type NoNews = 'job' | 'advert' | 'coupon' | 'event';

export interface PrefilterInput {
  readonly title: string;
  /** Only its beginning is read. */
  readonly text: string;
  readonly url: string;
}

const forms: readonly (readonly [NoNews, 'title' | 'url' | 'lead', RegExp])[] = [
  [
    'job',
    'title',
    /\b(?:we(?:'|’)?re hiring|is hiring|are hiring|now hiring|who is hiring|job (?:opening|openings|offer|alert)s?|careers? at|join our team|internships? (?:at|open)|apply (?:now|by|today) (?:for|to)|vacanc(?:y|ies)|hiring (?:a|an|for)\b)|\(YC \w\d+\) is hiring|诚聘|^.{0,12}招聘|招聘(?:启事|信息|季)|急招|内推|校招|社招|实习生招募|岗位开放/iu,
  ],
  [
    'job',
    'url',
    /\/(?:jobs?|careers|vacancies|join-us)(?:\/|$|\?)|(?:greenhouse|lever|workable)\.(?:io|co|com)\//iu,
  ],
  [
    'coupon',
    'title',
    /\b(?:coupons?|promo(?:tion)? codes?|discount codes?|voucher|cashback)\b|优惠券|优惠码|折扣码|券后/iu,
  ],
  [
    'coupon',
    'title',
    /\b(?:deals?|sale)\b.{0,40}\b(?:of the (?:day|week)|today|prime day|black friday|cyber monday|memorial day|labor day|mother[’']s day|father[’']s day|under \$\d|off|best price|lowest)|\b(?:best|top|early|favorite) .{0,40}\bdeals?\b|\b\d+ ?(?:%|percent) off\b|\bis (?:on sale|nearly half off|half off|down to (?:its|\$))|\b(?:best|lowest)(?:-ever)? price (?:to date|yet|ever|for)|\bmatching its best price\b|\b(?:summer|spring|winter|fall|holiday|clearance|weekend) sale\b|\brecord[- ]low price|限时折扣|秒杀|满减|史低/iu,
  ],
  [
    'advert',
    'title',
    /^\s*(?:sponsored|advertisement|advertorial|paid (?:post|content)|partner content|promoted)\b|\b(?:sponsored (?:by|content|post)|presented by|brought to you by)\b|赞助内容|广告[:：]|推广[:：]|软文/iu,
  ],
  [
    'advert',
    'lead',
    /^\s*(?:this (?:post|article|content|story) (?:is|was) (?:sponsored|paid)|sponsored (?:content|post)|paid (?:post|partnership)|in partnership with|provided by)\b|^本文(?:为|由).{0,12}(?:推广|赞助|广告)/iu,
  ],
  [
    'advert',
    'title',
    /\b(?:gift guide|gift ideas|best .{2,40}(?:\(20\d\d\)|of 20\d\d|20\d\d)(?::|$)|buying guide|where (?:to|you can) (?:pre-?order|buy))\b/iu,
  ],
  [
    'event',
    'title',
    /\b(?:register (?:now|today|for|here)|save the date|call for (?:papers|speakers|proposals|participation)|early[- ]bird|ticket (?:rates?|prices?)|get (?:your )?tickets?|tickets (?:at|on sale|now)|exhibit at|join us (?:at|for|in|on)|rsvp|(?:last|final) (?:chance|call|\d+ (?:hours|days)|days?) (?:to|for)|webinar|livestream|meet us at|hackathon (?:registration|is open)|sign up (?:now|for)|join the (?:new )?.{0,40}(?:course|webinar|workshop|bootcamp|livestream|challenge))\b|报名|预约观看|直播预告|参会|征稿|早鸟票|门票|峰会预告|沙龙招募|招募.{0,8}(?:大使|学员|体验官)|申报即日启动|年度.{0,4}盛会/iu,
  ],
  ['event', 'url', /\/(?:events?|webinars?|meetups?)\/[^/]+|eventbrite\.|lu\.ma\/|meetup\.com\//iu],
];

const leadChars = 200;

/** The first kind that matches; null for news. */
export function noNews({ title, text, url }: PrefilterInput): NoNews | null {
  const parts = { title, url, lead: text.slice(0, leadChars) };
  return forms.find(([, where, form]) => form.test(parts[where]))?.[0] ?? null;
}
