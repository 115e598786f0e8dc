import { seededRandom } from '@daybook/evidence';
import { splitSentences } from '@daybook/grounding';

import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { CitedText } from './cited-text.ts';
import type { ErrorKind, Planted } from './plant-error.ts';
import { errorKinds, plantError } from './plant-error.ts';

export interface PlantedSentence extends Planted {
  readonly kind: ErrorKind;
  readonly cited: CitedText;
}

export interface Quota {
  readonly origin: CitedText['origin'];
  readonly language: CitedText['language'];
  readonly elsewhere: boolean;
  readonly count: number;
  /** Names can be planted everywhere, quotations in few places: no kind may fill more than this. */
  readonly kindShareMax: number;
}

/** Kinds take turns, so that a frequent kind does not crowd the others out; at most three sentences of a text. */
export function plantedSentences(texts: readonly CitedText[], quota: Quota, seed: number): PlantedSentence[] {
  const random = seededRandom(seed);
  const mine = shuffled(
    texts.filter(({ origin, language }) => origin === quota.origin && language === quota.language),
    random,
  );
  const planted: PlantedSentence[] = [];
  for (let round = 0; round < 3 * errorKinds.length && planted.length < quota.count; round += 1) {
    for (const [at, cited] of mine.entries()) {
      if (planted.length >= quota.count) break;
      const kind = errorKinds[(at + round) % errorKinds.length] ?? 'number';
      const sentence = pick(sentencesOf(cited), random);
      if (sentence === undefined) continue;
      const one = plantError(kind, { sentence, cited, elsewhere: quota.elsewhere, random, strangers: mine });
      if (one === null || one.elsewhere !== quota.elsewhere) continue;
      if (planted.some((other) => other.sentence === one.sentence)) continue;
      if (planted.filter((other) => other.kind === kind).length >= quota.count * quota.kindShareMax) continue;
      planted.push({ ...one, kind, cited });
    }
  }
  return planted;
}

/** Sentences that are true of their text, in other words or with other figures where possible. */
export function trueSentences(texts: readonly CitedText[], count: number, seed: number): TrueSentence[] {
  const random = seededRandom(seed);
  const found: TrueSentence[] = [];
  for (const cited of shuffled(texts, random)) {
    if (found.length >= count) break;
    const sentence = pick(sentencesOf(cited), random);
    if (sentence === undefined) continue;
    const rewritten = rewrite(sentence, cited.language);
    found.push({ sentence: rewritten, cited, form: rewritten === sentence ? 'as it stands' : 'rewritten' });
  }
  return found;
}

export interface TrueSentence {
  readonly sentence: string;
  readonly cited: CitedText;
  readonly form: string;
}

export function sentencesOf(cited: CitedText): string[] {
  const shortest = cited.language === 'zh' ? 12 : 30;
  return splitSentences(cited.text).filter(
    (sentence) => sentence.length >= shortest && sentence.length < 500,
  );
}

/** The same values in another spelling, and a few words around them. */
function rewrite(sentence: string, language: ReaderLanguage): string {
  return language === 'en' ? rewriteEnglish(sentence) : rewriteChinese(sentence);
}

function rewriteEnglish(sentence: string): string {
  return sentence
    .replace(/\$(\d+(?:\.\d+)?) million/gu, (_, n: string) => `${n} million dollars`)
    .replace(/\$(\d+(?:\.\d+)?) billion/gu, (_, n: string) => `US$${scaled(n, 1000)} million`)
    .replace(/(\d) ?percent\b/gu, '$1%')
    .replace(/(\d)%/gu, '$1 per cent')
    .replace(
      /\b(January|February|March|April|June|July|August|September|October|November|December) (\d{1,2})\b(?!\d)/gu,
      '$2 $1',
    )
    .replace(/(\d),(\d{3})\b/gu, '$1$2')
    .replace(/(?<![\d.])(\d+) hours\b/gu, (_, n: string) => `${Number(n) * 60} minutes`)
    .replace(/“([^”]*)”/gu, '"$1"')
    .replace(
      /^(The|A|An|It|In|On|At) /u,
      (_, word: string) => `According to the report, ${word.toLowerCase()} `,
    );
}

function rewriteChinese(sentence: string): string {
  return sentence
    .replace(/(\d+(?:\.\d+)?) ?亿/gu, (_, n: string) => `${scaled(n, 10_000)} 万`)
    .replace(/(\d+(?:\.\d+)?) ?%/gu, '百分之 $1')
    .replace(/(?<![\d.])(\d+) ?小时/gu, (_, n: string) => `${Number(n) * 60} 分钟`)
    .replace(/“([^”]*)”/gu, '「$1」')
    .replace(/^(该|这|此|公司|其)/u, '报道称，$1');
}

function scaled(text: string, factor: number): string {
  return String(Number((Number(text) * factor).toPrecision(12)));
}

function pick<Value>(values: readonly Value[], random: () => number): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}
