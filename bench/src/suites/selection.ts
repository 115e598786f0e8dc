import type { Suite, SuiteContext } from '@daybook/evidence';

import { judge } from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import { isOffTopic } from '../../../apps/server/src/newsroom/copy/judgement/relevance.ts';
import { classifiedDataSets, readClassifiedTexts } from '../judgement/classified-texts.ts';
import { agreement, hasSelectableKind, heldOutFigures, isRelevant } from '../judgement/judgement-figures.ts';
import type { ScoredText, TrainingText } from '../judgement/judgement-training.ts';
import { folds, scoreHeldOutSites, splitBySite, trainingTexts } from '../judgement/judgement-training.ts';
import { trainTfIdf } from '../judgement/tf-idf-classifier.ts';

export const suite: Suite = {
  name: 'selection',
  measuresNoTime: true,
  summary: 'relevance and kind of real titles, on sites that the model was not trained on',
  promise:
    'A model that was trained on other sites scores each title. Relevance to the AI industry: F1 of at least 0.90 on 1,218 titles labelled by hand, and on titles of AI sources beside Chinese hot lists. Of labelled titles about AI that the kind accepts, at least 85 % are news, papers, releases or analysis, at a recall of 90 %. At most 1 % of them would be declined. The labeller and the author of the features are the same; the baseline is TF-IDF with two centroids on the same split.',
  dataSets: classifiedDataSets,
  run: async (context) => {
    const texts = trainingTexts(readClassifiedTexts(context.data('.')));
    const scored = scoreHeldOutSites(texts);
    relevanceFigures(context, scored);
    baselineFigures(context, texts);
    kindFigures(context, scored);
    declinedFigures(context, texts, scored);
  },
};

function relevanceFigures(context: SuiteContext, scored: readonly ScoredText[]): void {
  const figures = heldOutFigures(scored);
  const show = (name: string, value: number | undefined, atLeast?: number): void =>
    context.figure({
      name,
      value: value ?? 0,
      unit: '',
      ...(atLeast !== undefined && { goal: { atLeast } }),
    });
  show('titles labelled by hand', figures['labelledTitles']);
  show('F1 of relevance, labelled titles', figures['relevanceF1'], 0.9);
  show('precision', figures['relevancePrecision']);
  show('recall', figures['relevanceRecall']);
  show('F1 of relevance, AI sources beside hot lists', figures['relevanceF1BySource'], 0.9);
  const articles = scored.filter(({ set }) => set === 'articles');
  const { precision, recall } = agreement(articles, isRelevant, (one) => one.answersRelevant);
  context.note(
    `${articles.length} labelled pages with text, ${articles.filter(isRelevant).length} about AI: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
  );
}

function baselineFigures(context: SuiteContext, texts: readonly TrainingText[]): void {
  const rows = Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const [held, seen] = splitBySite(texts, fold);
    const relevance = trainTfIdf(seen.map((text) => ({ title: text.title, positive: text.isRelevant })));
    const known = seen.filter(({ kind }) => kind !== null);
    const kind = trainTfIdf(known.map((text) => ({ title: text.title, positive: hasSelectableKind(text) })));
    return held.map((text) => ({
      ...text,
      isAnswered: relevance.scoreOf(text.title) > 0,
      isSelectable: kind.scoreOf(text.title) > 0,
    }));
  });
  const labelled = rows.filter(({ set }) => set === 'labels');
  const bySource = rows.filter(({ set }) => set === 'ai sources' || set === 'hot lists');
  for (const [name, some] of [
    ['labelled titles', labelled],
    ['AI sources beside hot lists', bySource],
  ] as const) {
    const { f1 } = agreement(some, isRelevant, ({ isAnswered }) => isAnswered);
    context.figure({ name: `TF-IDF baseline: F1 of relevance, ${name}`, value: f1, unit: '' });
  }
  const { precision, recall } = agreement(
    labelled.filter(isRelevant),
    hasSelectableKind,
    (one) => one.isSelectable,
  );
  context.figure({ name: 'TF-IDF baseline: passed titles that are news', value: 100 * precision, unit: '%' });
  context.figure({ name: 'TF-IDF baseline: news that passes', value: 100 * recall, unit: '%' });
}

function kindFigures(context: SuiteContext, scored: readonly ScoredText[]): void {
  const figures = heldOutFigures(scored);
  const share = (name: string, value: number | undefined, atLeast?: number): void =>
    context.figure({
      name,
      value: 100 * (value ?? 0),
      unit: '%',
      ...(atLeast !== undefined && { goal: { atLeast } }),
    });
  share('kind right, 13 kinds', figures['kindAccuracy'], 60);
  share(
    'accepted titles about AI that are news, papers, releases or analysis',
    figures['selectableKindPrecision'],
    85,
  );
  share('news, papers, releases and analysis about AI that pass', figures['selectableKindRecall'], 90);
  const aboutAi = scored.filter((one) => one.set === 'labels' && isRelevant(one));
  share('the same without a filter', aboutAi.filter(hasSelectableKind).length / Math.max(1, aboutAi.length));
}

function declinedFigures(
  context: SuiteContext,
  texts: readonly TrainingText[],
  scored: readonly ScoredText[],
): void {
  const share = <Text>(some: readonly Text[], isDeclined: (text: Text) => boolean): number =>
    (100 * some.filter(isDeclined).length) / Math.max(1, some.length);
  const isHeldOutDeclined = (text: ScoredText): boolean => isOffTopic(text, text.likelihood, false);
  const labelled = scored.filter(({ set }) => set === 'labels');
  const rare = (name: string, value: number): void =>
    context.figure({ name, value, unit: '%', goal: { atMost: 1 } });
  rare('labelled titles about AI that are declined', share(labelled.filter(isRelevant), isHeldOutDeclined));
  rare(
    'simulated reports that the shipped model declines',
    share(
      texts.filter(({ set }) => set === 'simulated'),
      (text) => judge({ ...text, source, novelty: 'first', owners: 1 }, 'en').relevance.isOffTopic,
    ),
  );
  const others = labelled.filter((text) => !isRelevant(text));
  const hot = scored.filter(({ set }) => set === 'hot lists');
  for (const [name, some] of [
    ['labelled titles about other subjects that are declined', others],
    ['titles of hot lists that are declined', hot],
  ] as const)
    context.figure({ name, value: share(some, isHeldOutDeclined), unit: '%' });
}

const source = { tier: 2, firstParty: false, participation: 'editorial', categoryHint: null } as const;
