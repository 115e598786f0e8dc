import { normalizeTokenText } from '../../../language/text-tokens.ts';

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
  /^(?:今日三件事|回顾[:：]|模型与资本日志|一文速览)/,
];
const partsMin = 3;

export function isRoundup(title: string): boolean {
  const plain = normalizeTokenText(title).trim();
  if (roundupForms.some((form) => form.test(plain))) return true;
  const parts = plain.split(/[;；]/).filter((part) => part.trim().length > 8);
  return parts.length >= partsMin;
}
