import { normalizeTokenText } from '@daybook/grounding/text';

/** Titles of columns and lists of several events. They join no story: they would connect unrelated events. */
const roundupForms: readonly RegExp[] = [
  /^(?:the download|in brief|catch[- ]?up|morning briefing|the briefing|weekly digest|daily digest|news digest)\b/i,
  /^(?:techcrunch mobility|rocket report|roundtables|ars asks|uncanny valley)\b/i,
  /^(?:this week in|the week in|the day in|week in review|the latest ai news|three things to know)\b/i,
  /\b(?:round-?up|newsletter|weekly recap|daily recap|news recap|live updates|live blog)\b/i,
  /^(?:everything|all the (?:latest|news)|\d+ things)\b.*\b(?:announced|announcements|updates|about)\b/i,
  /^(?:catch up on|what we announced)\b/i,
  /^(?:【?(?:早报|晚报|日报|周报|早餐|晚新闻|午报)】?)/,
  /(?:早报|晚报|日报|周报|晚新闻|早餐|一文速览|要闻汇总|新闻汇总|投资避雷针|每周精选|今日要闻|一周回顾)(?:[:：|丨｜】\s]|$)/,
  /\b(?:promo codes?|coupons?|discount codes?|gift guide|gift ideas|deals? (?:we|you|from|on)|best deals|day deals)\b/i,
  /^(?:the )?(?:\d+ )?best\b.*\b(?:20\d\d|tested|reviewed|deals)\b/i,
  /\b(?:review|reviewed) ?(?:\(20\d\d\)|:)|\bdeals: /i,
  /^(?:回顾[:：]|模型与资本日志)|(?:^|[:：])\s*(?:今日三件事|一文速览)/,
];
/** Lists, buying guides and advice: they name products and events, and report none. */
const listForms: readonly RegExp[] = [
  /^(?:(?:the|our|my|here are|these)\b ?)*(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve)(?: (?!(?:million|billion|percent)\b)[\p{L}'-]+){0,2} (?:ways?|things|tips|tricks|reasons|steps|lessons|takeaways|questions|mistakes|habits|hacks)\b/iu,
  /\b\d{1,3}(?: [\p{L}'-]+)? ways (?:to|that|you|ai)\b/iu,
  /^(?:the |our )?(?:top |best )?\d{1,3} (?:of the )?(?:top|best|coolest|hottest|must-have|essential|favou?rite)\b/iu,
  /\b(?:buying|shopping|buyer[’']s) guide\b|\bbest\b[^.:]{2,50}\b(?:to buy|you can buy|for (?:beginners|students|under|less than))\b/iu,
  /盘点|好物|(?:选购|购买|购物|避坑|送礼|入手)(?:指南|攻略|清单|推荐)|(?:清单|合集|榜单)$/u,
  /^(?:这|最|年度|史上最|值得.{0,6})*[\d一二三四五六七八九十两百]+(?:款|个|种|条|件|招|步|部|本|大)(?:.{0,16})(?:推荐|技巧|方法|工具|妙招|玩法|建议|理由|好用|神器|必备|值得|干货|问题)/u,
  /[\d一二三四五六七八九十两百]+款.{0,12}(?:推荐|横评|对比|测评|值得|最佳|必备|怎么选|哪款)/u,
];
const partsMin = 3;

export function isRoundup(title: string): boolean {
  const plain = normalizeTokenText(title).trim();
  if (roundupForms.some((form) => form.test(plain)) || listForms.some((form) => form.test(plain)))
    return true;
  const parts = plain.split(/[;；]/).filter((part) => part.trim().length > 8);
  return parts.length >= partsMin;
}
