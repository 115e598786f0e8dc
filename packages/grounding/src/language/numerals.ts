import type { Span } from './plain-text.ts';

/** A number by its value, whatever the spelling. */
export interface Numeral extends Span {
  readonly value: number;
  /** The number of stated digits: 1.2 billion has two. */
  readonly significantDigits: number;
  /** Digits only, without scale words or thousands separators: the form of a version or a year. */
  readonly plain: boolean;
}

const englishScales: ReadonlyMap<string, number> = new Map([
  ['hundred', 1e2],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
  ['k', 1e3],
  ['mn', 1e6],
  ['bn', 1e9],
  ['tn', 1e12],
  ['m', 1e6],
  ['b', 1e9],
  ['t', 1e12],
]);

const smallWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const tensWords = 'twenty thirty forty fifty sixty seventy eighty ninety';
const wordValues: ReadonlyMap<string, number> = new Map([
  ...smallWords.split(' ').map((word, value) => [word, value] as const),
  ...tensWords.split(' ').map((word, nth) => [word, (nth + 2) * 10] as const),
]);

const numberWord = [...wordValues.keys(), 'hundred', 'thousand', 'million', 'billion', 'trillion'].join('|');
/** "a million" counts; "hundreds" and a single "one" do not state a number. */
const spelledOut = new RegExp(
  String.raw`(?<![\p{L}\d-])(?:(?:an?|half an?)[ ])?(?:${numberWord})(?:(?:[ -]|[ ]and[ ])(?:${numberWord}))*(?:[ -]and[ -]a[ -]half)?(?![\p{L}\d])`,
  'giu',
);

const written = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+`;
const englishScale = String.raw`[ -]?(?:hundred|thousand|million|billion|trillion)(?![\p{L}\d])|[ ]?(?:mn|bn|tn)(?![\p{L}\d])|[KkMBT](?![\p{L}\d]|-?\d)|m(?![\p{L}\d])`;
const chineseScale = String.raw`[ ]?(?:[十百千]?万亿|[十百千]?[万亿]|[百千](?![分里])|兆)`;
const digitNumber = new RegExp(
  String.raw`(?<![\p{Script=Latin}\d.]|\p{Script=Latin}-|\d,)(${written})(${chineseScale}|${englishScale})?`,
  'gu',
);

const hanDigits = '零一二三四五六七八九';
const hanNumber = /[零〇一二两三四五六七八九十百千万亿]+(?:点[零一二三四五六七八九]+)?/gu;
/** Before these a single Chinese digit is a number; elsewhere it is part of a word. */
const measureWord =
  /^ ?(?:[个家名人位年月天周次起款项倍成层轮台条种国份篇张块座枚颗亿万秒岁级代度步]|分钟|小时|星期)/u;

export function findNumerals(text: string): Numeral[] {
  const found = [...digitNumerals(text), ...hanNumerals(text), ...spelledNumerals(text)];
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return found.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

function* digitNumerals(text: string): Generator<Numeral> {
  for (const match of text.matchAll(digitNumber)) {
    const [whole, digits = '', scaleText] = match;
    const end = match.index + whole.length;
    const scale = scaleText === undefined ? 1 : scaleOf(scaleText.trim(), text.slice(end));
    // A lower-case m means metres or minutes unless a currency sign precedes the number.
    if (scaleText === 'm' && !/[$€£¥₹]\s?$/u.test(text.slice(Math.max(0, match.index - 4), match.index))) {
      yield digitNumeral(digits, 1, match.index, match.index + digits.length);
      continue;
    }
    yield digitNumeral(digits, scale, match.index, end);
  }
}

function digitNumeral(digits: string, scale: number, start: number, end: number): Numeral {
  const bare = digits.replaceAll(',', '');
  return {
    value: rounded(Number(bare) * scale),
    significantDigits: Math.max(
      1,
      bare
        .replace('.', '')
        .replace(/^0+/, '')
        .replace(bare.includes('.') ? /$^/ : /0+$/, '').length,
    ),
    plain: scale === 1 && !digits.includes(','),
    start,
    end,
  };
}

/** The factor of a scale word: `bn`, `million`, 千万; `after` distinguishes the two meanings of 兆. */
export function scaleOf(text: string, after: string): number {
  const word = text.replace(/^-/, '').toLowerCase();
  const english = englishScales.get(word);
  if (english !== undefined) return english;
  // 兆 is a million before a unit of measure and a trillion elsewhere.
  if (word === '兆') return /^ ?(?:瓦|字节|赫|比特|欧)/u.test(after) ? 1e6 : 1e12;
  return word.split('').reduce((product, character) => product * (hanScales.get(character) ?? 1), 1);
}

const hanScales: ReadonlyMap<string, number> = new Map([
  ['十', 10],
  ['百', 1e2],
  ['千', 1e3],
  ['万', 1e4],
  ['亿', 1e8],
]);

function* hanNumerals(text: string): Generator<Numeral> {
  for (const match of text.matchAll(hanNumber)) {
    const [whole] = match;
    const end = match.index + whole.length;
    const before = text.slice(Math.max(0, match.index - 4), match.index);
    // 数十, 几百 and 上千 state no number; 第三 is an ordinal, not a quantity.
    if (/[数几上第\d]$/u.test(before) || /\d ?$/u.test(before)) continue;
    if (whole.length === 1 && !countsSomething(whole, text.slice(end))) continue;
    const value = hanValue(whole);
    if (value === null) continue;
    yield { value, significantDigits: significant(value), plain: false, start: match.index, end };
  }
}

function countsSomething(digit: string, after: string): boolean {
  // 二次 and 二手 are "again" and "second-hand".
  if (digit === '二' && /^[次手级代]/u.test(after)) return false;
  if (digit !== '零' && /^(?:死|伤)/u.test(after)) return true;
  return /[二两三四五六七八九十]/u.test(digit) && measureWord.test(after);
}

/** Null if the characters are not a number, as in 千万 or 万一. */
export function hanValue(text: string): number | null {
  const [whole = '', fraction] = text.replaceAll('〇', '零').replaceAll('两', '二').split('点');
  if (!/^[零一二三四五六七八九十]/u.test(whole)) return null;
  let [total, section, digit] = [0, 0, 0];
  let digitsInRow = 0;
  for (const character of whole) {
    const scale = hanScales.get(character);
    if (scale === undefined) {
      digit = digitsInRow > 0 ? digit * 10 + hanDigits.indexOf(character) : hanDigits.indexOf(character);
      digitsInRow += character === '零' && digitsInRow === 0 ? 0 : 1;
      continue;
    }
    digitsInRow = 0;
    if (scale < 1e4) {
      section += (digit === 0 ? 1 : digit) * scale;
    } else {
      // 万亿 multiplies the result of 万.
      const scaled = section + digit === 0 ? total * scale : (section + digit) * scale;
      total = section + digit === 0 ? scaled : total + scaled;
      section = 0;
    }
    digit = 0;
  }
  const value = total + section + digit;
  if (fraction === undefined) return value;
  return Number(
    `${value}.${fraction
      .split('')
      .map((one) => hanDigits.indexOf(one))
      .join('')}`,
  );
}

function* spelledNumerals(text: string): Generator<Numeral> {
  for (const match of text.matchAll(spelledOut)) {
    const words = match[0].toLowerCase();
    if (words === 'one' || words === 'zero' || /^an? (?:hundred|thousand)$/.test(words)) continue;
    const value = spelledValue(words);
    if (value === null) continue;
    const end = match.index + match[0].length;
    yield { value, significantDigits: significant(value), plain: false, start: match.index, end };
  }
}

function spelledValue(words: string): number | null {
  const factor = words.startsWith('half') ? 0.5 : 1;
  let [total, section, seen] = [0, 0, false];
  for (const word of words.split(/[ -]/)) {
    const small = wordValues.get(word);
    const scale = word.length > 2 ? englishScales.get(word) : undefined;
    if (small !== undefined) section += small;
    else if (scale === 100) section = Math.max(1, section) * 100;
    else if (scale !== undefined) {
      total += Math.max(1, section) * scale;
      section = 0;
    } else continue;
    seen = true;
  }
  return seen
    ? (total + section) * factor + (words.endsWith('a half') || words.endsWith('a-half') ? 0.5 : 0)
    : null;
}

function significant(value: number): number {
  return Math.max(1, String(value).replace('.', '').replace(/0+$/, '').length);
}

/** 13.8 × 1e8 is not exactly 1.38e9 in binary; twelve digits are more than any text states. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
