import { isCorrectionNotice } from './correction-notice.ts';
import type { LinearWeights } from './linear-model.ts';
import { likelihood, scoreOf } from './linear-model.ts';
import type { TextFeatures } from './text-features.ts';
import type { TextToClassify } from './text-forms.ts';
import { formsOf } from './text-forms.ts';

export const kinds = [
  'news',
  'analysis',
  'opinion',
  'tutorial',
  'review',
  'roundup',
  'job',
  'deal',
  'event',
  'release-notes',
  'paper',
  'feature',
  'other',
] as const;

/** What form a text has, whatever its subject. */
export type Kind = (typeof kinds)[number];

/** Kinds that report something new at first hand; no other kind is selected. */
const selectableKinds: ReadonlySet<Kind> = new Set(['news', 'analysis', 'release-notes', 'paper']);

export function isSelectableKind(kind: Kind): boolean {
  return selectableKinds.has(kind);
}

/** Forms that no model has to weigh: notices, offers and adverts, papers, repositories. */
const certainForms: readonly (readonly [Kind, 'title' | 'url' | 'lead', RegExp])[] = [
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
    'deal',
    'title',
    /\b(?:coupons?|promo(?:tion)? codes?|discount codes?|voucher|cashback)\b|优惠券|优惠码|折扣码|券后/iu,
  ],
  [
    'deal',
    'title',
    /\b(?:deals?|sale)\b.{0,40}\b(?:of the (?:day|week)|today|prime day|black friday|cyber monday|memorial day|labor day|mother[’']s day|father[’']s day|under \$\d|off|best price|lowest)|\b(?:best|top|early|favorite) .{0,40}\bdeals?\b|\b\d+ ?(?:%|percent) off\b|\bis (?:on sale|nearly half off|half off|down to (?:its|\$))|\b(?:best|lowest)(?:-ever)? price (?:to date|yet|ever|for)|\bmatching its best price\b|\b(?:summer|spring|winter|fall|holiday|clearance|weekend) sale\b|\brecord[- ]low price|限时折扣|秒杀|满减|史低/iu,
  ],
  [
    'other',
    'title',
    /^\s*(?:sponsored|advertisement|advertorial|paid (?:post|content)|partner content|promoted)\b|\b(?:sponsored (?:by|content|post)|presented by|brought to you by)\b|赞助内容|广告[:：]|推广[:：]|软文/iu,
  ],
  [
    'other',
    'lead',
    /^\s*(?:this (?:post|article|content|story) (?:is|was) (?:sponsored|paid)|sponsored (?:content|post)|paid (?:post|partnership)|in partnership with|provided by)\b|^本文(?:为|由).{0,12}(?:推广|赞助|广告)/iu,
  ],
  [
    'other',
    'title',
    /\b(?:gift guide|gift ideas|best .{2,40}(?:\(20\d\d\)|of 20\d\d|20\d\d)(?::|$)|buying guide|where (?:to|you can) (?:pre-?order|buy))\b/iu,
  ],
  [
    'event',
    'title',
    /\b(?:register (?:now|today|for|here)|save the date|call for (?:papers|speakers|proposals|participation)|early[- ]bird|ticket (?:rates?|prices?)|get (?:your )?tickets?|tickets (?:at|on sale|now)|exhibit at|join us (?:at|for|in|on)|rsvp|(?:last|final) (?:chance|call|\d+ (?:hours|days)|days?) (?:to|for)|webinar|livestream|meet us at|hackathon (?:registration|is open)|sign up (?:now|for)|join the (?:new )?.{0,40}(?:course|webinar|workshop|bootcamp|livestream|challenge))\b|报名|预约观看|直播预告|参会|征稿|早鸟票|门票|峰会预告|沙龙招募|招募.{0,8}(?:大使|学员|体验官)|申报即日启动|年度.{0,4}盛会/iu,
  ],
  ['event', 'url', /\/(?:events?|webinars?|meetups?)\/[^/]+|eventbrite\.|lu\.ma\/|meetup\.com\//iu],
  [
    'paper',
    'url',
    /^https?:\/\/(?:www\.|export\.)?(?:arxiv\.org\/(?:abs|pdf)|openreview\.net\/|(?:\w+\.)?(?:bio|med)rxiv\.org\/|aclanthology\.org\/|doi\.org\/)/iu,
  ],
  [
    'review',
    'title',
    /\breviews?(?: \(\d{4}\))?(?::|$)|^(?:hands[- ]on\b|we tried|i(?:['’]ve)? (?:tried|tested)|i put .{2,60} to (?:work|the test))/iu,
  ],
  [
    'roundup',
    'title',
    /^(?:the download:|import ai \d|everything (?:announced|you need|we know)|all the (?:news|latest)|the latest .{2,40} news)|\b(?:weekly|daily) (?:roundup|digest|recap|brief)\b|^【?(?:早报|午报|晚报|周报|日报)/iu,
  ],
  [
    'feature',
    'title',
    /^how \p{Lu}[^?]{2,60}? (?:uses?|used|builds?|build|built|is using|accelerates?|cut|saved?|transformed) /u,
  ],
  ['release-notes', 'title', /^[\w.-]+ ?\/ ?[\w.-]+$|^(?:show|launch) hn: /iu],
  ['release-notes', 'url', /\/releases\/(?:tag\/)?[^/]+$/iu],
];

/** Kinds that name events and products without reporting one, if their title has such a form too. */
const listingKinds: ReadonlySet<Kind> = new Set(['roundup', 'deal', 'tutorial']);
const listingForms: ReadonlySet<string> = new Set([
  'list',
  'how to',
  'lesson',
  'best of',
  'several subjects',
  'instruction',
  'with a tool',
]);
/** Of a title in Chinese, where the forms above are less certain: 如何 opens questions about news as well. */
const chineseListing = /教程|指南|攻略|手把手|入门|清单|盘点|合集/u;
const reportingForms: ReadonlySet<string> = new Set(['reported', 'event']);

/**
 * Whether a text is a list, an offer or a lesson. The kind alone is right for two of three texts, so a form of the
 * title must agree and none may report an event.
 */
export function isListing(kind: Kind, text: TextToClassify): boolean {
  if (!listingKinds.has(kind)) return false;
  const forms = new Set(formsOf(text));
  const isListed = /\p{Script=Han}{2}/u.test(text.title)
    ? chineseListing.test(text.title)
    : !forms.isDisjointFrom(listingForms);
  return isListed && forms.isDisjointFrom(reportingForms);
}

const leadChars = 200;

/** The first certain form, or else the likeliest kind. */
export function kindOf(
  weights: Readonly<Record<Kind, LinearWeights>>,
  { title, text, url }: TextToClassify,
  features: TextFeatures,
): Kind {
  if (isCorrectionNotice({ title, text })) return 'other';
  const parts = { title, url, lead: text.slice(0, leadChars) };
  const certain = certainForms.find(([, where, form]) => form.test(parts[where]))?.[0];
  if (certain !== undefined) return certain;
  const likelihoods = kinds.map((kind) => ({ kind, value: likelihood(scoreOf(weights[kind], features)) }));
  const sumOf = (some: readonly { readonly value: number }[]): number =>
    some.reduce((sum, { value }) => sum + value, 0);
  // First whether it can be selected: the likeliest kind alone may be less likely than several others together.
  const selectable = likelihoods.filter(({ kind }) => isSelectableKind(kind));
  const others = likelihoods.filter(({ kind }) => !isSelectableKind(kind));
  const side = sumOf(selectable) >= sumOf(others) ? selectable : others;
  return side.reduce((best, one) => (one.value > best.value ? one : best)).kind;
}
