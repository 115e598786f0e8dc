/** Words that present an event as planned, expected, possible or suspected, and words that present it as a fact. */

const english = String.raw`\b(?:may|might|could|would|should|can|shall|will|won't|plan(?:s|ned|ning)?|intend(?:s|ed|ing)?|aim(?:s|ed|ing)?|hope(?:s|d)?|hoping|want(?:s|ed)?|wish(?:es|ed)?|seek(?:s|ing)?|sought|propos(?:e|es|ed|ing|als?)|consider(?:s|ed|ing)?|mull(?:s|ed|ing)?|weigh(?:s|ed|ing)?|expect(?:s|ed|ing|ations?)?|forecast(?:s|ed|ing)?|project(?:s|ed|ions?)|predict(?:s|ed|ion)?|anticipat(?:e|es|ed|ing)|estimat(?:e|es|ed)|outlook|guidance|target(?:s|ed|ing)?|likely|possibl[ey]|potential(?:ly)?|probabl[ey]|perhaps|maybe|set to|due to|about to|poised|scheduled|slated|on track|on course|upcoming|going to|look(?:s|ing)? to|ready to|prepar(?:e|es|ing) to|agreed? to|agrees to|offer(?:s|ed|ing)? to|threaten(?:s|ed|ing)?|pledg(?:e|es|ed)|promis(?:e|es|ed)|vow(?:s|ed)?|believ(?:e|es|ed)|suspect(?:s|ed)?|alleg(?:e|es|ed|edly|ations?)|reported(?:ly)?|apparent(?:ly)?|presumabl[ey]|seem(?:s|ed|ingly)?|appear(?:s|ed)? to|suggest(?:s|ed|ing)?|think(?:s)?|thought|claim(?:s|ed)?|accus(?:e|es|ed)|if|unless|whether|subject to|draft|rumou?r(?:s|ed)?|talks? (?:to|of|about|over)|negotiat(?:e|es|ing|ions?)|next (?:year|month|week|quarter)|tomorrow|futures?|would-be|hypothetical(?:ly)?|ambitions?|goals?|sees?|conditional(?:ly)?|(?:is|are|was|were) to|(?:is|are) \p{Ll}+ing)\b|\p{Lu}[\p{L}.]* to \p{Ll}`;
const chinese =
  '可能|或会|或将|或者|或(?=[\u4e00-\u9fff]{0,2}[达增减升跌涨降需要致引影令使])|也许|大概|预计|预期|预料|料(?=[\u4e00-\u9fff]|将)|预测|估计|预估|料将|有望|有机会|势将|拟|计划|打算|准备|筹备|考虑|研究|希望|盼|冀|期望|目标|争取|将会|将|会(?=[\u4e00-\u9fff])|即将|快将|可望|可(?=[\u4e00-\u9fff])|潜在|未来|明年|下月|下周|下季|明日|倾向|建议|提议|倡议|怀疑|疑(?=[\u4e00-\u9fff])|涉嫌|相信|据称|据报|据悉|据了解|传(?=[\u4e00-\u9fff])|消息指|似乎|疑似|声称|指控|如果|若|倘|假如|一旦|除非|是否|有待|待(?=[\u4e00-\u9fff])|承诺|威胁|意向|草案|初步|初步估|估算|拟议|有意|应会|应该|需要|欲|要求|寻求|呼吁|展望|指引|前瞻';
const uncertain = new RegExp(`${english}|${chinese}`, 'iu');

/** Whether a sentence keeps anything open. */
export function isUncertain(text: string): boolean {
  return uncertain.test(text);
}

/** Announced for a certain time; the present tense states the same. */
const announced =
  /\b(?:will|set to|due to be|scheduled|slated|going to|on track|on course|poised)\b|即将|快将|将(?=[于在由可获有被需把向与和以会出达成推增减升降举再继])/iu;
const planned = new RegExp(
  String.raw`\b(?:may|might|could|would|plan(?:s|ned|ning)? to|intend(?:s|ed|ing)?|aim(?:s|ed|ing)? (?:to|for)|hop(?:e|es|ed|ing) to|propos(?:e|es|ed|ing)|consider(?:s|ed|ing)|mulling|weighing|expect(?:s|ed|ing)?|forecast(?:s|ed|ing)?|project(?:s|ed) to|predict(?:s|ed)?|anticipat(?:e|es|ed|ing)|likely|potential(?:ly)?|possibl[ey]|believed|suspected|alleged(?:ly)?|reportedly|apparently|pledg(?:e|es|ed)|vow(?:s|ed)?|threaten(?:s|ed)?)\b` +
    '|可能|或会|或将|也许|预计|预期|预料|料将|料(?=[\u4e00-\u9fff]{0,6}[升跌增减涨降赚达])|预测|估计|有望|有机会|势将|拟|计划|打算|考虑|希望|盼|目标|争取|将会|可望|潜在|怀疑|疑似|涉嫌|据称|据报|相信|有意|如果|若|一旦|最快|至多可|最多可',
  'iu',
);
/** At the end of a clause these govern the next one: “预计，盈利增长”. */
const opensNext =
  /(?:预计|预期|预料|预测|估计|相信|料|expects?|expected|forecasts?|predict(?:s|ed)?|怀疑|据报|据称)\s*$/iu;

export type Plan = 'none' | 'announced' | 'planned';

/** How a clause presents its event: as announced, as planned, expected, possible or suspected, or neither. */
export function planOf(clause: string, clauseBefore: string): Plan {
  if (planned.test(clause) || opensNext.test(clauseBefore)) return 'planned';
  return announced.test(clause) ? 'announced' : 'none';
}

const past =
  /\b(?:was|were|had|did|\p{L}{3,}(?:ed|ght)|sold|won|lost|rose|fell|grew|began|made|took|went|said|cut|led|paid|held)\b/iu;

/** Whether the claim, which keeps nothing open, states as a fact what a text presents with `plan`. */
export function exceeds(claim: string, plan: Plan): boolean {
  return plan === 'planned' || (plan === 'announced' && (isDone(claim) || past.test(claim)));
}

const done =
  /已(?!知)|证实|完成了?|确认|\b(?:has|have) (?:already |now |since )?\p{L}{3,}(?:ed|en|ght|ld|de|nt)\b|\b(?:confirmed|completed|already)\b/iu;

/** Whether a clause says that the event has taken place. */
export function isDone(clause: string): boolean {
  return done.test(clause);
}
