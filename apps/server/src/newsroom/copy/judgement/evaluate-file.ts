import type { Category } from '../../../record/index.ts';
import type { Labelled, SweepRow } from './evaluate.ts';
import { pairwiseAuc, precisionAtEditorsRate, sweepThresholds } from './evaluate.ts';
import type { ItemToJudge } from './judge.ts';
import { judge } from './judge.ts';

/** One line of a labelled file. Only title and label are required; missing values count as average. */
interface LabelledLine {
  readonly title: string;
  readonly selected: boolean;
  readonly text?: string;
  readonly url?: string;
  readonly tier?: 1 | 2 | 3 | 4;
  readonly firstParty?: boolean;
  readonly categoryHint?: Category;
  readonly novelty?: ItemToJudge['novelty'];
  readonly owners?: number;
}

export interface Evaluation {
  readonly items: number;
  readonly selected: number;
  readonly auc: number | null;
  readonly precisionAtEditorsRate: number;
  readonly sweep: readonly SweepRow[];
}

/** Judges every line of a JSON Lines text and compares it with its label. Throws an error with the first bad line. */
export function evaluateLabelledText(text: string): Evaluation {
  const labelled = text
    .split('\n')
    .map((line, at) => ({ line, at }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, at }) => judgeLine(parseLine(line, at + 1)));
  return {
    items: labelled.length,
    selected: labelled.filter(({ selected }) => selected).length,
    auc: pairwiseAuc([labelled])?.auc ?? null,
    precisionAtEditorsRate: precisionAtEditorsRate(labelled),
    sweep: sweepThresholds(labelled),
  };
}

function parseLine(line: string, number: number): LabelledLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`line ${number} is not JSON`, { cause: error });
  }
  const { title, selected, tier } = (value ?? {}) as Partial<Record<keyof LabelledLine, unknown>>;
  if (typeof title !== 'string' || typeof selected !== 'boolean')
    throw new Error(`line ${number} needs a "title" (text) and "selected" (true or false)`);
  if (tier !== undefined && ![1, 2, 3, 4].includes(tier as number))
    throw new Error(`line ${number}: "tier" must be 1, 2, 3 or 4`);
  return value as LabelledLine;
}

function judgeLine(line: LabelledLine): Labelled {
  const { title, text = '', url = '', tier = 2, firstParty = false, categoryHint = null } = line;
  const source = { tier, firstParty, categoryHint, participation: 'editorial' as const };
  const { novelty = 'first', owners = 1 } = line;
  const judgement = judge({ title, text, url, source, novelty, owners }, 'en');
  return { score: judgement.noNews === null ? judgement.score.value : 0, selected: line.selected };
}
