import type { Quantity } from '@daybook/grounding';
import { statedFacts } from '@daybook/grounding';

import type { ReadItem } from './story-item.ts';

/** What two values measure, in words. */
export interface Measure {
  /** As an item words it, in its language; null if no sentence states it plainly. */
  readonly worded: string | null;
  readonly en: string;
  readonly zh: string;
  /** The name that the items of both values mention beside them; null if none. */
  readonly subject: string | null;
}

/** Words near a figure that say what it measures, beside its unit. */
const wordsOfMeasures: readonly (readonly [dimensions: string, said: RegExp, en: string, zh: string])[] = [
  [
    'second',
    /\b(?:down|downtime|offline|outages?|unavailable|disrupt\w*|interrupt\w*)\b|宕机|中断|故障|瘫痪|停机/iu,
    'downtime',
    '中断时长',
  ],
  ['second', /\b(?:late|delay\w*)\b|延迟|推迟/iu, 'delay', '延迟'],
  ['money', /\bvalu(?:ed|es|ation|ing)\b|估值/iu, 'valuation', '估值'],
  ['money', /\b(?:rais(?:e|es|ed|ing)|funding|round)\b|融资|募资/iu, 'funds raised', '融资金额'],
  ['money', /\b(?:fin(?:e|es|ed)|penalt(?:y|ies))\b|罚款|处罚/iu, 'fine', '罚款金额'],
  [
    'money',
    /\b(?:settle(?:s|d|ment)?|damages|claim(?:s|ed)?|sues?|sued)\b|和解|索赔|赔偿/iu,
    'damages',
    '赔偿金额',
  ],
  [
    'money',
    /\b(?:acqui(?:re|res|red|sition)|buy(?:s|ing)?|bought|purchase[ds]?|takeover)\b|收购/iu,
    'purchase price',
    '收购价格',
  ],
  ['money', /\b(?:invest(?:s|ed|ment|ing)?)\b|投资/iu, 'investment', '投资金额'],
  ['money', /\b(?:revenue|sales|turnover)\b|营收|收入|销售额/iu, 'revenue', '营收'],
  ['money', /\b(?:loss(?:es)?|lost)\b|亏损/iu, 'loss', '亏损'],
  ['money', /\b(?:profits?|earnings)\b|利润|盈利/iu, 'profit', '利润'],
  ['money', /\b(?:pric(?:e|es|ed)|costs?|charges?)\b|价格|售价|成本|费用/iu, 'price', '价格'],
  [
    'people',
    /\b(?:la(?:y|ys|id|ying) off|layoffs?|job cuts?|jobs|dismiss\w*|fir(?:e|es|ed))\b|裁员|裁减|解雇/iu,
    'jobs cut',
    '裁员人数',
  ],
  [
    'people',
    /\b(?:employ(?:s|ed)?|staff|workforce|hires?|hired)\b|员工|雇员|招聘/iu,
    'number of employees',
    '员工人数',
  ],
  [
    'people',
    /\b(?:users?|subscribers?|customers?|accounts?)\b|用户|订阅|客户|账户/iu,
    'number of users',
    '用户数',
  ],
  ['people', /\b(?:killed|dead|deaths?|died)\b|死亡|遇难/iu, 'number of deaths', '死亡人数'],
  ['people', /\b(?:injur\w+|wounded)\b|受伤/iu, 'number of injured', '受伤人数'],
  ['percent', /\b(?:shares?|stakes?)\b|股份|持股/iu, 'share', '持股比例'],
  ['percent', /\b(?:scor(?:e|es|ed|ing)|accuracy|benchmark)\b|得分|准确率|评测/iu, 'score', '得分'],
  ['percent', /\b(?:cut|price|cheaper|lower(?:s|ed)?|discount)\b|降价|降幅|下调/iu, 'cut', '降幅'],
];

const unitNames: Readonly<Record<string, readonly [en: string, zh: string]>> = {
  money: ['amount', '金额'],
  people: ['number of people', '人数'],
  second: ['duration', '时长'],
  month: ['duration', '时长'],
  percent: ['share', '比例'],
  point: ['difference', '差距'],
  watt: ['power', '功率'],
  parameter: ['number of parameters', '参数量'],
  token: ['number of tokens', 'token 数'],
  times: ['factor', '倍数'],
};
const otherUnit = ['figure', '数字'] as const;

/** The same measure in fewer words, each less specific than the one before. */
export function lessSpecific(measure: Measure): readonly Measure[] {
  const [en, zh] = otherUnit;
  return [measure, { ...measure, subject: null }, { worded: null, en, zh, subject: null }];
}

const money = new Set(['dollar', 'euro', 'pound', 'yuan', 'yen', 'won', 'rupee', 'franc']);
const people = new Set(['person', 'employee', 'user']);

function unitKind({ unit }: Quantity): string {
  if (unit === null) return 'people';
  return money.has(unit.dimension) ? 'money' : people.has(unit.dimension) ? 'people' : unit.dimension;
}

/**
 * Names the measure of two values: by a noun phrase of the sentences, or else by the words beside the figures, or else
 * by the unit. `texts` are the sentences with the values, the later ones first.
 */
export function nameMeasure(
  values: readonly [now: Quantity, old: Quantity],
  texts: readonly string[],
  items: { readonly before: readonly ReadItem[]; readonly later: ReadItem },
): Measure {
  const kind = unitKind(values[0]);
  const known = wordsOfMeasures.find(
    ([dimension, said]) => dimension === kind && texts.some((text) => said.test(text)),
  );
  const unnamed = values[0].unit === null ? otherUnit : (unitNames[kind] ?? otherUnit);
  const [en, zh] = known === undefined ? unnamed : [known[2], known[3]];
  return { worded: wordedMeasure(values, texts), en, zh, subject: subjectOf(texts, items) };
}

/** The noun phrase that states the measure of either figure: "the size of the round was …", 融资金额为 …. */
function wordedMeasure(values: readonly Quantity[], texts: readonly string[]): string | null {
  for (const text of texts) {
    for (const { text: written } of values) {
      const value = RegExp.escape(written);
      const english = new RegExp(
        String.raw`\b((?:the|its|their) [a-z][a-z' -]{2,50}?)(?: (?:in|of|for) \p{Lu}[^,;:.]{0,80})? (?:is|was|were|as|at|may be|to) (?:about |now )?[$€£]?${value}`,
        'u',
      );
      const chinese = new RegExp(
        String.raw`(?:[，：:,的中将经称] ?|^)((?:(?![将称的经中])\p{Script=Han}){2,10}?)(?:应|或|则|写)?(?:为|是|达) ?${value}`,
        'u',
      );
      const found = english.exec(text)?.[1] ?? chinese.exec(text)?.[1];
      if (found !== undefined && !noMeasure.test(found)) return found;
    }
  }
  return null;
}

/** "The right figure" and 正确数字 do not name a measure. */
const noMeasure =
  /\b(?:right|correct|actual|true|new|real) (?:figure|number|sum|count)\b|\bthe (?:figure|number)s?$|数字|报道|说法/iu;

/** A version such as "Pellan 5" rather than a name; the first that an earlier item mentions too. */
function subjectOf(
  texts: readonly string[],
  { before, later }: { readonly before: readonly ReadItem[]; readonly later: ReadItem },
): string | null {
  const sources = [...before, later].map(({ item }) => item.sourceName);
  const isKnown = (name: string): boolean =>
    !sources.some((source) => source.includes(name)) &&
    before.some(({ sentences }) => sentences.some(({ text }) => text.includes(name)));
  const searched = [...texts, later.item.title];
  const versions = searched.flatMap((text) => {
    const { versions: found, text: plain } = statedFacts(text);
    return found.flatMap(({ start, end }) => {
      const name = /(?:\p{Lu}[\p{L}\d-]*[ -]){1,2}$/u.exec(plain.slice(0, start))?.[0];
      return name === undefined ? [] : [`${name}${plain.slice(start, end)}`.trim()];
    });
  });
  return [...versions, ...searched.flatMap(namesInside)].find(isKnown) ?? null;
}

/** Capitalised words after the first word of a sentence. */
function namesInside(text: string): readonly string[] {
  const found = text.matchAll(/(?<=[\p{L}\d,;:] )(?:\p{Lu}[\p{L}\d-]+)(?: \p{Lu}[\p{L}\d-]+)*/gu);
  return Array.from(found, ([name]) => name).filter((name) => !noNames.test(name));
}

const noNames =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|The|A|An|It|We|They|He|She|But|And|In|On)\b/u;
