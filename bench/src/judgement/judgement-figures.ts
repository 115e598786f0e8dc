import { isSelectableKind } from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import type { ClassifiedText } from './classified-texts.ts';
import type { ScoredText } from './judgement-training.ts';

export interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export function agreement<Row>(
  rows: readonly Row[],
  isTrue: (row: Row) => boolean,
  isAnswered: (row: Row) => boolean,
): Agreement {
  const both = rows.filter((row) => isTrue(row) && isAnswered(row)).length;
  const answered = rows.filter(isAnswered).length;
  const truth = rows.filter(isTrue).length;
  return {
    precision: answered === 0 ? 1 : both / answered,
    recall: truth === 0 ? 1 : both / truth,
    f1: answered + truth === 0 ? 1 : (2 * both) / (answered + truth),
  };
}

/** Figures of sites that the model was not trained on, as stored with the model. */
export function heldOutFigures(scored: readonly ScoredText[]): Record<string, number> {
  const labelled = scored.filter(({ set }) => set === 'labels');
  const bySource = scored.filter(({ set }) => set === 'ai sources' || set === 'hot lists');
  const relevance = (rows: readonly ScoredText[]): Agreement =>
    agreement(rows, isRelevant, ({ answersRelevant }) => answersRelevant);
  const aboutAi = labelled.filter(isRelevant);
  const selectable = agreement(aboutAi, hasSelectableKind, ({ answeredKind }) =>
    isSelectableKind(answeredKind),
  );
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  return {
    labelledTitles: labelled.length,
    relevanceF1: rounded(relevance(labelled).f1),
    relevancePrecision: rounded(relevance(labelled).precision),
    relevanceRecall: rounded(relevance(labelled).recall),
    relevanceF1BySource: rounded(relevance(bySource).f1),
    kindAccuracy: rounded(
      labelled.filter(({ kind, answeredKind }) => kind === answeredKind).length /
        Math.max(1, labelled.length),
    ),
    selectableKindPrecision: rounded(selectable.precision),
    selectableKindRecall: rounded(selectable.recall),
  };
}

export function isRelevant({ isRelevant: is }: ClassifiedText): boolean {
  return is;
}

export function hasSelectableKind({ kind }: ClassifiedText): boolean {
  return kind !== null && isSelectableKind(kind);
}
