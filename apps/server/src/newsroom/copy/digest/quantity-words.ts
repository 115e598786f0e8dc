import type { Quantity } from '@daybook/grounding';

import type { ReaderLanguage } from '../../../foundation/reader-language.ts';

/** The wording of an amount by dimension; `#` is replaced by the number. */
const wordings: Readonly<Record<string, readonly [en: string, zh: string]>> = {
  percent: ['# percent', '#%'],
  point: ['# points', '# 个百分点'],
  dollar: ['$#', '#美元'],
  euro: ['€#', '#欧元'],
  pound: ['£#', '#英镑'],
  yuan: ['# yuan', '#元'],
  yen: ['# yen', '#日元'],
  parameter: ['# parameters', '#参数'],
  token: ['# tokens', '# token'],
  user: ['# users', '#用户'],
  employee: ['# employees', '# 名员工'],
  person: ['# people', '# 人'],
  times: ['# times', '# 倍'],
};

/** Units with a scale of their own: hours are not written as seconds. */
const scaled: readonly (readonly [dimension: string, factor: number, en: string, zh: string])[] = [
  ['second', 604_800, '# weeks', '# 周'],
  ['second', 86_400, '# days', '# 天'],
  ['second', 3600, '# hours', '# 小时'],
  ['second', 60, '# minutes', '# 分钟'],
  ['second', 1, '# seconds', '# 秒'],
  ['month', 12, '# years', '# 年'],
  ['month', 1, '# months', '# 个月'],
  ['watt', 1e9, '# gigawatts', '# 吉瓦'],
  ['watt', 1e6, '# megawatts', '# 兆瓦'],
  ['watt', 1, '# watts', '# 瓦'],
];

/** The quantity as written in this language; a unit without a wording is copied from its item. */
export function wordQuantity({ numeral, unit, text }: Quantity, language: ReaderLanguage): string {
  const column = language === 'en' ? 0 : 1;
  if (unit === null) return wordNumber(numeral.value, language);
  const wording = wordings[unit.dimension];
  if (wording !== undefined)
    return wording[column].replace('#', wordNumber(numeral.value * unit.factor, language));
  const value = numeral.value * unit.factor;
  const scale = scaled.find(([dimension, factor]) =>
    dimension !== unit.dimension ? false : dimension === 'watt' ? value >= factor : factor === unit.factor,
  );
  if (scale === undefined) return text;
  return scale[(2 + column) as 2 | 3].replace('#', wordNumber(value / scale[1], language));
}

const englishScales = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;
const chineseScales = [
  [1e12, '万亿'],
  [1e8, '亿'],
  [1e4, '万'],
] as const;

function wordNumber(value: number, language: ReaderLanguage): string {
  const scales = language === 'en' ? englishScales : chineseScales;
  const [scale, name] = scales.find(([least]) => value >= least) ?? [1, ''];
  const number = trimmed(value / scale);
  const grouped =
    language === 'en' && name === '' ? number.replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/gu, ',') : number;
  return name === '' ? grouped : `${grouped} ${name}`;
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(9)));
}
