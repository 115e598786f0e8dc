import type { Category } from '../../record/index.ts';
import type { ItemToJudge } from '../copy/judgement/index.ts';
import { judge } from '../copy/judgement/index.ts';
import { labelledRows } from './labelled-lines.ts';
import type { Labelled, SweepRow } from './selection-figures.ts';
import { pairwiseAuc, precisionAtEditorsRate, sweepThresholds } from './selection-figures.ts';

/** One line of a labelled file. Only title and label are required; missing values count as average. */
interface LabelledItem {
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

export interface SelectionEvaluation {
  readonly items: number;
  readonly selected: number;
  readonly auc: number | null;
  readonly precisionAtEditorsRate: number;
  readonly sweep: readonly SweepRow[];
}

/** Judges every line of a JSON Lines text and compares it with its label. Throws an error with the first bad line. */
export function evaluateSelection(text: string): SelectionEvaluation {
  const items = labelledRows<LabelledItem>(text, { title: 'text', selected: 'flag' });
  for (const { tier, title } of items) {
    if (tier !== undefined && ![1, 2, 3, 4].includes(tier))
      throw new Error(`"${title}": "tier" must be 1, 2, 3 or 4`);
  }
  const labelled = items.map(judgeItem);
  return {
    items: labelled.length,
    selected: labelled.filter(({ selected }) => selected).length,
    auc: pairwiseAuc([labelled])?.auc ?? null,
    precisionAtEditorsRate: precisionAtEditorsRate(labelled),
    sweep: sweepThresholds(labelled),
  };
}

function judgeItem(item: LabelledItem): Labelled {
  const { title, text = '', url = '', tier = 2, firstParty = false, categoryHint = null } = item;
  const source = { tier, firstParty, categoryHint, participation: 'editorial' as const };
  const { novelty = 'first', owners = 1 } = item;
  const judgement = judge({ title, text, url, source, novelty, owners }, 'en');
  return { score: judgement.noNews === null ? judgement.score.value : 0, selected: item.selected };
}
