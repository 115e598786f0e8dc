import { seededRandom } from '@daybook/evidence';

import { categories } from '../../../apps/server/src/record/index.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { OracleQuery } from './watch-oracle.ts';

/** Words as news has them: a few are in most items, most in very few; many contain another one. */
export interface WatchDraw {
  readonly random: () => number;
  readonly sourceNames: readonly string[];
  readonly text: (wordsMin: number, wordsMax: number) => string;
  readonly query: (sourceIds: readonly string[]) => OracleQuery;
  readonly chance: (probability: number) => boolean;
  readonly below: (limit: number) => number;
}

const syllables = 'ka lo mi ren tu vas do shi ne gra pol ex chi per quan til zo bar fen'.split(' ');
const ideographs = Array.from('模型发布开源芯片数据研究公司智能语言训练推理算力机器人安全美元市场融资论文');
const wordsTotal = 3_000;
const sourcesTotal = 40;

/** Draws of one seed have the same words and sources; each stream draws for itself. */
export function createWatchDraw(seed: number, stream: number): WatchDraw {
  const { words, sourceNames } = vocabulary(seed);
  const random = seededRandom(seed * 1_000 + stream);
  const chance = (probability: number): boolean => random() < probability;
  const below = (limit: number): number => Math.floor(random() * limit);
  // The word at place n is about n times as rare as the first.
  const common = (): string => words[Math.floor(wordsTotal ** random()) - 1] ?? 'ka';
  const text = (wordsMin: number, wordsMax: number): string =>
    Array.from({ length: wordsMin + below(wordsMax - wordsMin + 1) }, () => dressed(common())).join(
      chance(0.3) ? '' : ' ',
    );
  // A reader may write a word in capitals or in the wide letters of an input method.
  const dressed = (word: string): string => {
    if (chance(0.15)) return word.toUpperCase();
    return chance(0.05) ? wide(word) : word;
  };
  const searched = (): string => dressed(chance(0.85) ? pick(random, words) : common());
  const query = (sourceIds: readonly string[]): OracleQuery => {
    const kind = random();
    const q = kind < 0.93 ? [searched(), ...(chance(0.3) ? [common()] : [])].join(' ') : null;
    const isBroad = q === null;
    return {
      q,
      without: chance(0.2) ? common() : null,
      mode: chance(0.2) ? 'selected' : 'all',
      category: kind > 0.98 || chance(0.1) ? pick(random, categories) : null,
      source: (isBroad && kind <= 0.98) || chance(0.05) ? pick(random, sourceIds) : null,
      language: chance(0.1) ? pick(random, ['en', 'zh', 'de']) : null,
      hiddenSources: chance(0.1) ? [pick(random, sourceIds)] : [],
      hiddenCategories: chance(0.1) ? [pick(random, categories)] : [],
      minSources: chance(0.12) ? 2 + below(2) : 1,
    };
  };
  return { random, sourceNames, text, query, chance, below };
}

function vocabulary(seed: number): {
  readonly words: readonly string[];
  readonly sourceNames: readonly string[];
} {
  const random = seededRandom(seed);
  const repeat = (least: number, most: number, parts: readonly string[]): string =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => pick(random, parts)).join(
      '',
    );
  const words = Array.from({ length: wordsTotal }, (_, at) =>
    at % 3 === 0 ? repeat(2, 3, ideographs) : repeat(2, 4, syllables),
  );
  const sourceNames = Array.from({ length: sourcesTotal }, (_, at) => `${pick(random, words)} wire ${at}`);
  return { words, sourceNames };
}

function wide(word: string): string {
  return Array.from(word, (letter) =>
    /[a-z]/u.test(letter) ? String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0) : letter,
  ).join('');
}
