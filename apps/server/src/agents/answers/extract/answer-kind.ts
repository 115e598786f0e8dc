/** What an answer has to contain. */
export type AnswerKind = 'number' | 'date' | 'name' | 'place' | 'reason' | 'other';
export type AnswerUnit =
  | 'money'
  | 'percent'
  | 'age'
  | 'duration'
  | 'clock'
  | 'length'
  | 'weight'
  | 'area'
  | null;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** "What …" and "which …" before one of these nouns ask for a number, a time, a person or organization, or a place. */
const numberNouns = words(`
  price prices cost costs revenue revenues turnover sum amount percentage percent proportion value share rate level salary pay wage budget loss losses
  profit profits earnings sentence resolution high low record temperature speed height length size weight distance population turnout margin score
  total number figure estimate forecast fee fine bonus valuation capacity width depth age range dose interest yield dividend discount premium
  increase decrease rise fall drop growth decline gain volume output donation damages compensation surplus deficit ratio multiple quantity limit maximum minimum`);
const dateNouns = words(
  'date dates day month year time deadline week weekday hour season century decade moment period',
);
const placeNouns = words(`
  country countries city cities place places state states town district districts station stations hospital school university stadium airport island
  region province venue street village continent planet court building hotel`);
const nameNouns = words(`
  company companies firm firms team teams club clubs bank banks agency agencies party parties group organization organisation vendor supplier airline carrier
  brand bureau department newspaper ministry person people man woman men women executive executives politician politicians minister official officials
  founder founders co-founder co-founders judge king queen president ceo chairman member members studio label publisher university actor actress
  son daughter brother sister wife husband prisoner prisoners champion spokesman spokeswoman journalist astronaut star band candidate`);
const agent = /^\p{L}{3,}(?:ers?|ors?|ists?|ians?|ants?)$/u;
const noAgent = words(
  'number order offer quarter paper matter letter manner power water computer server factor sector river winter summer september october november december other another whether after under over never ever chapter computer transfer error tenor colour color',
);

/** How many words after "what" or "which" may be the noun. */
const nounReach = 5;
const asked = /\b(?:what|which|whose)\b((?:\s+[\p{L}\p{N}'’-]+){1,9})/iu;

/** The kind that the noun after "what" or "which" asks for: "what price", "what was the company's price". */
function kindOfNoun(text: string): AnswerKind | null {
  const [, after] = asked.exec(text) ?? [];
  if (after === undefined) return null;
  const list = after.trim().split(/\s+/u);
  const isCopula = copula.test(list[0] ?? '');
  const nouns = isCopula ? list.slice(1) : list;
  const stop = nouns.findIndex((noun) => (isCopula ? preposition : auxiliary).test(noun));
  const reach = isCopula ? nounReach + 2 : nounReach;
  const kinds = nouns
    .slice(0, Math.min(reach, stop === -1 ? reach : stop))
    .map(kindOfWord)
    .filter((kind) => kind !== null);
  // "The company's revenue": the last noun is the one that is asked for.
  return (isCopula ? kinds.at(-1) : kinds[0]) ?? null;
}

const copula = /^(?:is|are|was|were|will|would)$/u;
const preposition =
  /^(?:of|in|on|at|for|by|from|with|after|before|during|to|about|between|that|who|which|if)$/u;

function kindOfWord(word: string): AnswerKind | null {
  const noun = word.replace(/['’]s$/u, '');
  if (noun !== word || /\p{Lu}/u.test(word)) return null;
  if (numberNouns.has(noun)) return 'number';
  if (dateNouns.has(noun)) return 'date';
  if (placeNouns.has(noun)) return 'place';
  return nameNouns.has(noun) || (agent.test(noun) && !noAgent.has(noun)) ? 'name' : null;
}

const reasonForm =
  /\bwhy\b|\bwhat (?:is |was |were )?(?:the )?(?:caused?|reasons?|prompted|led to)\b|\bhow come\b|\bfor what reason\b|为什么|为何|为甚么|原因|因何|何故|点解/iu;

const kindForms: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    'number',
    /\bhow (?:much|many|large|long|old|fast|far|high|big|tall|deep|heavy|wide|hot|cold|often)\b|\bwhat (?:do|does|did|will|would|can|could|should|may|must|is|are|was|were) .{1,60}\b(?:cost|weigh|earn|paid|pay|spend|charge|measure|worth)\b|\bwhat (?:is|was) the (?:most|least|maximum|minimum)\b|^\W*(?:the )?(?:price|cost|number|amount|size|total|value|revenue|profit|salary|budget) (?:of|for|per)\b|多少|几多|几(?!点|时)|多大|多长|多久|多高|多远|多重/iu,
  ],
  [
    'date',
    /\bwhen\b|\bgive the date\b|何时|几时|几点|哪一?[天日年月]|什么时候|甚么时候|什么时间|何日|何年|哪个月|限期/iu,
  ],
  [
    'name',
    /\b(?:who|whom|whose)\b|\bwhat (?:is|was) (?:the )?(?:\w+ ){0,2}name\b|\bgive (?:the )?names?\b|谁|边个|边位|叫什么|叫甚么|姓名|哪位|何人|名字/iu,
  ],
  ['place', /\bwhere\b|哪里|哪儿|边度|何处|哪间|哪两?个?(?:站|国|国家|城市|地方|地区|区)|什么地方/iu],
];

export function kindOf(text: string, simple: string): AnswerKind {
  if (reasonForm.test(simple)) return 'reason';
  if (/(?:边个|哪个|谁)(?:较|更|比较|最)(?:高|低|多|少|大|小|贵|便宜)/u.test(simple)) return 'number';
  return (
    kindOfNoun(text) ??
    firstKind(simple) ??
    hanKindOfNoun(simple) ??
    (comparesNumbers(text) ? 'number' : 'other')
  );
}

/** The kind of the first question word: "where was she when …" */
function firstKind(simple: string): AnswerKind | null {
  const found = kindForms
    .map(([kind, form]) => ({ kind, at: simple.search(form) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at);
  return found[0]?.kind ?? null;
}

/** "Was the revenue above or below …" */
function comparesNumbers(text: string): boolean {
  return (
    /\b(?:above or below|more or less|higher or lower|compared?|than|cheaper|more expensive|larger|bigger|smaller)\b/iu.test(
      text,
    ) &&
    text
      .toLowerCase()
      .split(/[^\p{L}-]+/u)
      .some((word) => numberNouns.has(word) || /^(?:cheaper|expensive|worth)$/u.test(word))
  );
}

/** 升幅是什么, 什么价格: without a question word for numbers. */
function hanKindOfNoun(simple: string): AnswerKind | null {
  if (!/什么|甚么|哪|吗|[?？]|占/u.test(simple)) return null;
  return /(?:什么|甚么|哪个?)(?:价|水平|比例|数字|幅度)|(?:升幅|跌幅|增幅|降幅|价格|售价|金额|比例|面积|税率|利率|收入|盈利)(?:是什么|如何|怎样)|占(?:多|几)?/u.test(
    simple,
  )
    ? 'number'
    : null;
}

const unitForms: readonly (readonly [AnswerUnit, RegExp, RegExp])[] = [
  ['clock', /\b(?:at what|what) time\b/iu, /几点(?!子)/u],
  ['duration', /\bhow long\b|\b(?:what|which|maximum) (?:\p{L}+ )?sentence\b/iu, /多久|多长时间|刑期|几耐/u],
  ['age', /\bhow old\b|\bage of\b|\bwhat age\b|\baged\b/iu, /几多?岁|年龄|年纪/u],
  [
    'percent',
    /\bpercent|\bpercentage\b|\bhow much of\b|\bwhat part of\b|\bshare of\b|\bproportion\b|\bwhat share\b/iu,
    /升幅|跌幅|增幅|降幅|百分|比例|税率|利率/u,
  ],
  [
    'area',
    /\bhow (?:large|big)\b.*\b(?:office|flat|site|park|room|house|land|premises|garden|apartment)\b|\bhow many square\b|\bwhat (?:is the )?area\b/iu,
    /面积|平方/u,
  ],
  ['length', /\bhow (?:tall|far|wide|deep|high is)\b|\bdistance\b/iu, /多高|多远|多长(?!时)|距离|公里/u],
  ['weight', /\bhow heavy\b|\bweigh\b|\btons?\b|\bkilograms?\b/iu, /多重|重量|公斤|吨/u],
  [
    'money',
    /\bhow much\b|\b(?:price|cost|costs|revenue|worth|earn|raise|pay|paid|fine|salary|sum|value|loss|profit|budget|damages|donat\w+|turnover|debt|valuation|fee|spend|spent)\b/iu,
    /元|收入|盈利|收益|预算|价|薪|营收|营业额|费用|成本|利润|亏损|集资|融资|估值|罚款|捐|赔偿|开支|金额|投资额/u,
  ],
];

export function unitOf(text: string, simple: string): AnswerUnit {
  return unitForms.find(([, latin, han]) => latin.test(text) || han.test(simple))?.[0] ?? null;
}

const auxiliary =
  /^(?:is|are|was|were|do|does|did|will|would|can|could|has|have|had|should|may|might|must|to|an|for|in|on|at|by|from|with|after|before|according|than)$/iu;
const focusWordsMax = 6;

export interface AnswerFocus {
  /** The words next to the question word: how many *new vehicles*. */
  readonly focus: string;
  /** The Chinese measure word after 多少: 多少宗. */
  readonly counter: string;
}

export function latinFocus(text: string): AnswerFocus {
  const [, rest = ''] =
    /\b(?:how (?:many|much|old|long|large|fast|high|far|big|tall|deep|heavy|often)|what|which|who|whom|whose|when|where)\b(.*)$/iu.exec(
      text,
    ) ?? [];
  const list = rest.trim().split(/\s+/u);
  const end = list.findIndex((word) => auxiliary.test(word));
  return {
    focus: list.slice(0, Math.min(focusWordsMax, end === -1 ? list.length : end)).join(' '),
    counter: '',
  };
}

const hanFocusForm =
  /(\p{Script=Han}{0,6}?)(?:大约|大概|一共|约|是|共|有|为|占|报)*(多少|几多|几|什么|甚么|谁|哪|何时|边个)(\p{Script=Han}{0,6})/u;

export function hanFocus(simple: string): AnswerFocus {
  const [, before = '', word = '', after = ''] = hanFocusForm.exec(simple) ?? [];
  const counter = /^(?:多少|几多|几)$/u.test(word) ? after.slice(0, 1) : '';
  const noun = counter === '' ? after.replace(/^[一两个间]/u, '') : after.slice(1);
  return { focus: `${before.slice(-4)} ${noun}`, counter };
}
