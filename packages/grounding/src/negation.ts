import { hanCharacter, hanWords } from './language/han-text.ts';
import { findWords, stem } from './latin-words.ts';

/** The content words of a sentence and whether each is denied there, or both. */
export type Polarity = ReadonlyMap<string, 'affirmed' | 'denied' | 'both'>;

const englishCue = /^(?:not|never|no|without|neither|nor|cannot|none|nobody|nothing|unabl|hardly)$/u;
/** Verbs that deny the next word, and that can be denied themselves. */
const denyingVerb = /^(?:declin|refus|fail|deni|deny|lack|否认|拒绝|缺乏)$/u;
const hanCue =
  /^(?:并|都|也|尚|仍|而|绝|从|决|暂|均)?(?:不|没|未|无|非|勿|毋)[会能得再是可须曾有法需予含想愿必应该]?(?:有|会|能)?$|^(?:不包括|不打算|没有|并无|未有|无法|未能|不曾|从未|从不|绝不|并非|绝非|尚未|暂无)$/u;
/** Words without content, which may occur on either side of a denial. */
export const functionWords = new Set(
  'a an the of to in on at by for from with as is are was were be been being has have had do does did will would can could should may might must it its he she they we i you his her their our this that these those there which who what when where how and or but if so than then also any some all more most very just only own such after before during since until while about into over under between against through because though although however again still yet now once here both each other another same up down out off per via amid among around toward towards upon within'.split(
    ' ',
  ),
);
/** The number of content words that a denial covers. */
const reach = 2;
/** Numbers are denied like words ("not 3"), but have a separate check. */
const number = '#';

export function polarityOf(sentence: string): Polarity {
  const polarity = new Map<string, 'affirmed' | 'denied' | 'both'>();
  let denies = 0;
  for (const unit of unitsOf(sentence)) {
    if (unit === '') denies = 0;
    else if (englishCue.test(unit) || hanCue.test(unit)) denies = reach;
    else {
      const here = polarityAt(denies);
      const before = polarity.get(unit) ?? here;
      if (unit !== number) polarity.set(unit, before === here ? here : 'both');
      if (denyingVerb.test(unit)) denies = denies > 0 ? 0 : reach;
      else denies = Math.max(0, denies - 1);
    }
  }
  return polarity;
}

/** The word after a denial is denied; whether it also covers the next one depends on the sentence. */
function polarityAt(denies: number): 'affirmed' | 'denied' | 'both' {
  if (denies === 0) return 'affirmed';
  return denies === reach ? 'denied' : 'both';
}

/** Content words in order; an empty string marks the end of a clause. */
function unitsOf(sentence: string): string[] {
  return sentence.split(/([,;:.!?。()“”"]|\band\b|\bbut\b)/u).flatMap((clause, at) => {
    if (at % 2 === 1) return [''];
    if (hanCharacter.test(clause)) return hanUnits(clause);
    return findWords(clause.replace(/n['’]t\b/gu, ' not '))
      .filter(({ lower }) => isContent(lower))
      .map(({ lower, kind }) => (kind === 'number' ? number : stem(lower)));
  });
}

function isContent(lower: string): boolean {
  return englishCue.test(stem(lower)) || englishCue.test(lower) || !functionWords.has(lower);
}

function hanUnits(clause: string): string[] {
  return hanWords(clause)
    .map(({ text }) => (/^\d/u.test(text) ? number : text.toLowerCase()))
    .filter((unit) => unit === number || unit.length > 1 || hanCue.test(unit));
}

/** Sentences are compared if they share this many words and this share of them; others may differ in subject. */
const sharedWordsMin = 3;
const overlapMin = 0.6;

/** Words that the sentence denies and its sources affirm, or the other way round. */
export function flippedWords(sentence: Polarity, sources: readonly Polarity[]): string[] {
  const overlaps = sources.map((source) => overlap(sentence, source));
  const most = Math.max(0, ...overlaps);
  if (most < overlapMin) return [];
  const alike = sources.filter((_, at) => (overlaps[at] ?? 0) >= Math.max(overlapMin, most - 0.15));
  return [...sentence].flatMap(([word, here]) => {
    const stated = alike.map((source) => source.get(word)).filter((one) => one !== undefined);
    const isStated = here === 'both' || stated.includes(here) || stated.includes('both');
    return stated.length > 0 && !isStated ? [word] : [];
  });
}

/** The content words of a sentence, in their dictionary form as far as rules can derive it. */
export function contentWords(sentence: string): ReadonlySet<string> {
  return new Set(polarityOf(sentence).keys());
}

/** The number of content words that two sentences share, and their share of the longer one. */
export function sharedWords(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): { readonly count: number; readonly share: number } {
  const count = one.intersection(other).size;
  return { count, share: count / Math.max(1, one.size, other.size) };
}

function overlap(sentence: Polarity, source: Polarity): number {
  let shared = 0;
  for (const word of sentence.keys()) if (source.has(word)) shared += 1;
  return shared < sharedWordsMin ? 0 : shared / sentence.size;
}
