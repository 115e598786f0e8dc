import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { CitedText } from './cited-text.ts';

export const errorKinds = ['number', 'unit', 'name', 'quotation', 'date', 'version', 'negation'] as const;
export type ErrorKind = (typeof errorKinds)[number];

export interface Planted {
  readonly sentence: string;
  /** The false value, for people who read the undetected errors. */
  readonly value: string;
  /** It is in another item of the story, which the sentence does not cite. */
  readonly elsewhere: boolean;
}

export interface Planting {
  readonly sentence: string;
  readonly cited: CitedText;
  /** Take the false value from another item of the story; without another item no error is planted. */
  readonly elsewhere: boolean;
  readonly random: () => number;
  /** Texts of other stories, for values that do not occur in this one. */
  readonly strangers: readonly CitedText[];
}

/**
 * Errors are planted by patterns of this file alone: it shares no code with the checker, so a form that the checker does
 * not read can still be planted.
 */
export function plantError(kind: ErrorKind, planting: Planting): Planted | null {
  const { cited } = planting;
  if (kind === 'unit') return plantByTable(planting, unitSwaps[cited.language]);
  if (kind === 'negation') return plantByTable(planting, negations[cited.language]);
  return replaceValue(planting, valueForms(kind, cited));
}

/** How a kind of value is found in a text, and how it is falsified where no other item lends one. */
interface ValueForm {
  readonly find: (text: string) => readonly Found[];
  readonly invent: (value: string, planting: Planting) => string;
}

interface Found {
  readonly value: string;
  readonly at: number;
  /** Values with other surroundings do not fit in each other's place: 5 minutes and 5 billion. */
  readonly slot: string;
}

function valueForms(kind: Exclude<ErrorKind, 'unit' | 'negation'>, cited: CitedText): ValueForm {
  const forms: Readonly<Record<typeof kind, ValueForm>> = {
    number: {
      find: (text) => matches(text, numberForm, (match) => unitAfter(text, match)),
      invent: otherNumber,
    },
    name: { find: (text) => findNames(text, cited), invent: strangersName },
    quotation: {
      find: (text) => matches(text, /(?<=[“"])[^“”"]{12,160}(?=[”"])/gu, () => ''),
      invent: otherWords,
    },
    date: {
      find: (text) => dateForms[cited.language].flatMap((form) => matches(text, form, () => String(form))),
      invent: otherDate,
    },
    version: { find: (text) => matches(text, versionForm, () => ''), invent: otherNumber },
  };
  return forms[kind];
}

function replaceValue(planting: Planting, form: ValueForm): Planted | null {
  const { sentence, cited, random, elsewhere } = planting;
  const found = shuffled(form.find(sentence), random);
  for (const { value, at, slot } of found) {
    const others = planting.cited.others
      .flatMap((text) => form.find(text))
      .filter((other) => other.slot === slot && !contains(cited.text, other.value))
      .map((other) => other.value);
    const false_ = elsewhere ? others[Math.floor(random() * others.length)] : form.invent(value, planting);
    if (false_ === undefined || false_ === value || contains(cited.text, false_)) continue;
    const isElsewhere = elsewhere || cited.others.some((text) => contains(text, false_));
    return {
      sentence: sentence.slice(0, at) + false_ + sentence.slice(at + value.length),
      value: `${value} → ${false_}`,
      elsewhere: isElsewhere,
    };
  }
  return null;
}

function contains(text: string, value: string): boolean {
  return new RegExp(`(?<![\\d.,])${RegExp.escape(value)}(?![\\d]|[.,]\\d)`, 'iu').test(text);
}

function matches(text: string, form: RegExp, slot: (match: RegExpExecArray) => string): Found[] {
  return [...text.matchAll(form)].map((match) => ({ value: match[0], at: match.index, slot: slot(match) }));
}

// Not after a letter or a hyphen, not a year, not a part of a date.
const numberForm =
  /(?<![\p{Script=Latin}\d.,-]|\p{Lu}\p{L}* |[A-Z]\w* \d{1,2}, )(?!(?:19|20)\d\d(?!\d))\d+(?:,\d{3})*(?:\.\d+)?(?![\d]|[.,:]\d| ?[年月日号]|st\b|nd\b|rd\b|th\b| (?:January|February|March|April|May|June|July|August|September|October|November|December))/gu;
const versionForm =
  /(?<=\p{Lu}\p{Ll}+[ -])\d{1,2}(?:\.\d)?(?= (?:Pro|Lite|Mini|Ultra|Air|Max)|[ ,.]? ?(?:\p{Script=Han}|[a-z]|$))(?! ?(?:percent|million|billion|年|月|日|亿|万|minutes|hours|people|per cent))/gu;
const dateForms: Readonly<Record<ReaderLanguage, readonly RegExp[]>> = {
  en: [
    /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/gu,
    /\b(?:January|February|March|April|June|July|August|September|October|November|December)\b/gu,
    /(?<=\b(?:January|February|March|April|May|June|July|August|September|October|November|December) )\d{1,2}\b(?!\d)/gu,
    /(?<= )(?:19|20)\d\d(?=[ ,.])/gu,
  ],
  zh: [
    /(?<=周|星期)[一二三四五六日](?!\p{Script=Han}?年)/gu,
    /(?<!\d)\d{1,2}(?=月\d)/gu,
    /(?<=月)\d{1,2}(?=日)/gu,
    /(?<!\d)20\d\d(?=年)/gu,
  ],
};

function unitAfter(text: string, match: RegExpExecArray): string {
  const after = text.slice(match.index + match[0].length);
  const before = /[$€£]$/u.exec(text.slice(0, match.index))?.[0] ?? '';
  return before + (/^ ?(?:[\p{L}%]+)/u.exec(after)?.[0].trim().slice(0, 2) ?? '');
}

function findNames(text: string, cited: CitedText): Found[] {
  if (cited.origin === 'newswire') {
    const named = cited.worldNames.filter((name) => text.includes(name));
    return named.flatMap((name) => matches(text, new RegExp(RegExp.escape(name), 'gu'), () => ''));
  }
  if (cited.language === 'zh')
    return matches(text, /(?<=[。，、 ])\p{Script=Han}{2,3}(?=表示|認為|认为|指出|說|称|稱)/gu, () => '');
  // Two capitalised words inside a sentence: a person, a place or an organization. In a headline with capitals
  // throughout they need not be one.
  if (hasHeadlineCapitals(text)) return [];
  return matches(text, /(?<=[a-z,] )\p{Lu}\p{Ll}{2,} \p{Lu}\p{Ll}{2,}(?![\p{L}])/gu, () => '');
}

function hasHeadlineCapitals(text: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2;
}

function strangersName(value: string, planting: Planting): string {
  const { cited, strangers, random } = planting;
  if (cited.origin === 'newswire') {
    const alike = cited.worldNames.filter((name) => /[ ·]/u.test(name) === /[ ·]/u.test(value));
    return alike[Math.floor(random() * alike.length)] ?? value;
  }
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const stranger = strangers[Math.floor(random() * strangers.length)];
    if (stranger === undefined || stranger.language !== cited.language) continue;
    const [name] = shuffled(findNames(stranger.text, stranger), random);
    if (name !== undefined) return name.value;
  }
  return value;
}

function otherNumber(value: string, { random }: Planting): string {
  const number = Number(value.replaceAll(',', ''));
  const digits = value.split('.')[1]?.length ?? 0;
  const factor = random() < 0.5 ? 0.4 + random() * 0.5 : 1.2 + random() * 1.5;
  const step = digits > 0 ? 10 ** -digits : 1;
  const changed = Math.max(step, Math.round((number * factor) / step) * step);
  const other = changed === number ? number + step : changed;
  const text = digits > 0 ? other.toFixed(digits) : String(Math.round(other));
  return value.includes(',') ? text.replace(/\B(?=(\d{3})+$)/gu, ',') : text;
}

/** One word of the quotation becomes a word from another text. */
function otherWords(value: string, planting: Planting): string {
  const { cited, strangers, random } = planting;
  const word = cited.language === 'zh' ? /\p{Script=Han}{2}/gu : /\b\p{Ll}{5,}\b/gu;
  const places = [...value.matchAll(word)];
  const place = places[Math.floor(random() * places.length)];
  const stranger = strangers.filter(({ language }) => language === cited.language)[Math.floor(random() * 40)];
  const words = stranger?.text.match(word) ?? [];
  const other = words[Math.floor(random() * words.length)];
  if (place === undefined || other === undefined || other === place[0]) return value;
  return value.slice(0, place.index) + other + value.slice(place.index + place[0].length);
}

const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

function otherDate(value: string, { random }: Planting): string {
  for (const names of [weekdays, months, '一二三四五六日'.split('')]) {
    const at = names.indexOf(value);
    if (at !== -1) return names[(at + 1 + Math.floor(random() * (names.length - 1))) % names.length] ?? value;
  }
  const number = Number(value);
  if (number > 1900) return String(number + (random() < 0.5 ? -1 : 1));
  const most = value.length > 0 && number <= 12 ? 12 : 28;
  return String(1 + ((number + Math.floor(random() * (most - 1))) % most));
}

type Swaps = readonly (readonly [RegExp, string])[];

const unitSwaps: Readonly<Record<ReaderLanguage, Swaps>> = {
  en: [
    [/(?<=\d )million\b/u, 'billion'],
    [/(?<=\d )billion\b/u, 'million'],
    [/(?<=\d )minutes\b/u, 'hours'],
    [/(?<=\d )hours\b/u, 'days'],
    [/(?<=\d )days\b/u, 'weeks'],
    [/(?<=\d )years\b/u, 'months'],
    [/(?<=\d )months\b/u, 'years'],
    [/(?<=\d) percent\b/u, ' points'],
    [/(?<=\d )megawatts\b/u, 'gigawatts'],
    [/\$(?=\d)/u, '€'],
    [/(?<=\d) ?%/u, ' million'],
    [/(?<=\d )miles\b/u, 'kilometres'],
    [/(?<=\d )parameters\b/u, 'tokens'],
  ],
  zh: [
    [/(?<=\d ?)亿(?!万)/u, '万'],
    [/(?<=\d ?)万(?!亿)/u, '亿'],
    [/(?<=\d ?[万亿]?)美元/u, '欧元'],
    [/(?<=\d ?)分(?:钟|鐘)/u, '小时'],
    [/(?<=\d ?)小(?:时|時)/u, '天'],
    [/(?<=\d ?)%/u, ' 个百分点'],
    [/(?<=\d ?)兆瓦/u, '吉瓦'],
    [/(?<=\d ?)年(?=后|内|期|来)/u, '个月'],
    [/(?<=[万亿])参数/u, ' token'],
  ],
};

const negations: Readonly<Record<ReaderLanguage, Swaps>> = {
  en: [
    [
      /\b(is|was|are|were|has|have|had|will|would|can|could|should) (?!not\b|no\b|been no\b)(?=[a-z])/u,
      '$1 not ',
    ],
    [/\b(is|was|are|were|has|have|will|would|can|could|did|does|do) not /u, '$1 '],
    [/\bcannot\b/u, 'can'],
  ],
  zh: [
    [/(?<!未)已(?=\p{Script=Han}{2})(?!经)/u, '尚未'],
    [/将(?=\p{Script=Han}{2})/u, '不会'],
    [/尚未|并未|没有/u, '已经'],
    [/不会|不能|不得/u, '将会'],
    [/可(?=[以能获用])(?!能)/u, '不可'],
  ],
};

function plantByTable({ sentence, cited, random, elsewhere }: Planting, swaps: Swaps): Planted | null {
  for (const [form, replacement] of shuffled(swaps, random)) {
    const match = form.exec(sentence);
    if (match === null) continue;
    const changed = sentence.replace(form, replacement);
    const around = changed.slice(Math.max(0, match.index - 12), match.index + 14);
    if (changed === sentence || cited.text.includes(around)) continue;
    const isElsewhere = cited.others.some((text) => text.includes(around));
    if (elsewhere && !isElsewhere) continue;
    return { sentence: changed, value: `${match[0]} → ${around}`, elsewhere: isElsewhere };
  }
  return null;
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}
