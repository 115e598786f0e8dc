import type { Suite, SuiteContext } from '@daybook/evidence';

import type { AliasTable } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import { aliasTable, builtInAliases } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import type { StoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import { shippedStoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import { copiedTexts, copiedTextSets } from '../grouping/copied-texts.ts';
import type { StatisticsOf } from '../grouping/group-set.ts';
import { groupSet } from '../grouping/group-set.ts';
import type { GroupingError } from '../grouping/grouping-errors.ts';
import { errorText, groupingErrors, sampleErrors } from '../grouping/grouping-errors.ts';
import type { Grouping, PairFilter } from '../grouping/grouping-scores.ts';
import { scoreGrouping } from '../grouping/grouping-scores.ts';
import type { LabelledItem, LabelledSet } from '../grouping/labelled-set.ts';
import { groupingDataSets, readLabelledSets, splitByStory } from '../grouping/labelled-set.ts';
import { newswireSet } from '../grouping/newswire-set.ts';
import { crossValidate, ownParts } from '../grouping/own-labels.ts';
import type { PairLabelSet } from '../grouping/pair-labels.ts';
import { readPairLabels } from '../grouping/pair-labels.ts';
import { labelledPairs, windowPairs } from '../grouping/story-training.ts';
import { groupByTfIdf } from '../grouping/tf-idf-baseline.ts';

const tunedShare = 0.4;
const errorsPrinted = 20;
const baselineThresholds = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4] as const;
/** Large groups of old general news: the cosine threshold that suits it would merge strangers elsewhere. */
const slowSets: ReadonlySet<string> = new Set(['aggregator-en']);

/** A goal and, where it is known to be missed, the reached value. */
interface Wanted {
  readonly goal?: { readonly atLeast: number };
  readonly reached?: number;
}

const goals: Readonly<Record<string, { readonly f1: Wanted; readonly precision?: Wanted }>> = {
  'ai-news-en-zh': { f1: { goal: { atLeast: 0.6 } }, precision: { goal: { atLeast: 0.75 }, reached: 0.74 } },
  'roundups-en, held out': { f1: { goal: { atLeast: 0.65 } } },
  'hotlist-zh': { f1: { goal: { atLeast: 0.85 } } },
  'lookalikes-en': { f1: { goal: { atLeast: 0.72 }, reached: 0.7 } },
};
const newswireGoals = {
  within: { goal: { atLeast: 0.95 }, reached: 0.86 },
  across: { goal: { atLeast: 0.7 } },
};

const withinLanguage: PairFilter = (one, other) => one.language === other.language;
const acrossLanguages: PairFilter = (one, other) => one.language !== other.language;

interface Method {
  readonly model: StoryModel;
  readonly aliases: AliasTable;
}

export const suite: Suite = {
  name: 'grouping',
  summary: 'which reports are about one event: labelled sets, our own labels and the simulated world',
  measuresNoTime: true,
  promise:
    'Reports are grouped into stories without a language model, in English and Chinese, from title, summary and address. Weights and thresholds are trained on our own labels, the first 40 % of the stories of roundups-en and simulated worlds other than the scored one, and are frozen; no other set is read before it is scored. A set represents the last two weeks of a running newsroom: rarity is counted over the whole set. Pair figures count pairs of reports; TF-IDF is a single pass over titles with the best threshold for roundups-en. Copies of one text by different owners count as one independent source. They are derived from real articles with another dateline, byline, introduction or ending, shortened, or with replaced words; reports that different sources wrote about one event are not copies.',
  dataSets: [...groupingDataSets, ...copiedTextSets],
  run: async (context) => {
    const folder = context.data('.');
    const sets = readLabelledSets(`${folder}/stories`);
    const labels = readPairLabels(folder);
    const roundups = sets.find(({ name }) => name === 'roundups-en');
    if (roundups === undefined) throw new Error('roundups-en names no stories');
    const method: Method = { model: shippedStoryModel(), aliases: aliasTable(builtInAliases()) };
    context.note(`model version ${method.model.version}`);
    const { first, rest } = splitByStory(roundups, tunedShare);
    const threshold = bestBaselineThreshold(first);
    const ownErrors = ownLabels(context, labels, first, method);
    for (const set of [rest, ...sets]) {
      if (context.quick && slowSets.has(set.name)) continue;
      labelledSet(context, set, { method, threshold });
    }
    const newswireErrors = simulatedWorld(context, method);
    copiedTexts(context, folder);
    // Errors of a set that is only scored are not printed: reading them would lead to tuning on it.
    for (const errors of [ownErrors, newswireErrors]) {
      for (const error of sampleErrors(errors, errorsPrinted / 2)) context.note(errorText(error));
    }
  },
};

function bestBaselineThreshold(set: LabelledSet): number {
  const scored = baselineThresholds.map((threshold) => ({
    threshold,
    f1: scoreGrouping(set.items, groupByTfIdf(set, threshold)).f1,
  }));
  return scored.reduce((best, one) => (one.f1 > best.f1 ? one : best)).threshold;
}

/** Cross-validation on the days we labelled ourselves: the only errors that may be studied. */
function ownLabels(
  context: SuiteContext,
  labels: readonly PairLabelSet[],
  roundups: LabelledSet,
  method: Method,
): readonly GroupingError[] {
  const [aiNews] = labels;
  if (aiNews === undefined) return [];
  const pairs = [
    ...labels.flatMap((set) => labelledPairs(set, method.aliases)),
    ...windowPairs(roundups, method.aliases),
  ];
  const { items, grouping } = crossValidate(ownParts(aiNews), pairs, method);
  figures(context, 'own labels, cross-validated', items, grouping);
  languageFigures(context, 'own labels, cross-validated', items, grouping);
  return groupingErrors(items, grouping);
}

function labelledSet(
  context: SuiteContext,
  set: LabelledSet,
  { method, threshold }: { readonly method: Method; readonly threshold: number },
): void {
  const grouping = groupSet(set, method);
  figures(context, set.name, set.items, grouping);
  const languages = new Set(set.items.map(({ language }) => language));
  if (languages.size > 1) {
    languageFigures(context, set.name, set.items, grouping);
    variant(context, set, method, { statistics: 'read-so-far', name: 'by a newsroom that starts empty' });
  }
  if (set.items.some(({ url }) => url !== null) && !slowSets.has(set.name)) {
    const plain = { ...set, items: set.items.map((item) => ({ ...item, url: null })) };
    variant(context, plain, method, { statistics: 'whole-set', name: 'without addresses' });
  }
  const baseline = scoreGrouping(set.items, groupByTfIdf(set, threshold));
  context.figure({ name: `${set.name}: TF-IDF at ${threshold}, pair F1`, value: baseline.f1, unit: '' });
}

function variant(
  context: SuiteContext,
  set: LabelledSet,
  method: Method,
  { statistics, name }: { readonly statistics: StatisticsOf; readonly name: string },
): void {
  const { f1 } = scoreGrouping(set.items, groupSet(set, { ...method, statistics }));
  context.figure({ name: `${set.name}: pair F1 ${name}`, value: f1, unit: '' });
}

function figures(
  context: SuiteContext,
  name: string,
  items: readonly LabelledItem[],
  grouping: Grouping,
): void {
  const scores = scoreGrouping(items, grouping);
  const { f1 = {}, precision = {} } = goals[name] ?? {};
  context.figure({ name: `${name}: pair F1`, value: scores.f1, unit: '', ...f1 });
  context.figure({ name: `${name}: pair precision`, value: scores.precision, unit: '', ...precision });
  context.figure({ name: `${name}: pair recall`, value: scores.recall, unit: '' });
  context.figure({ name: `${name}: B-cubed F1`, value: scores.bCubedF1, unit: '' });
  const { items: size, stories } = scores.worstMerge;
  context.figure({
    name: `${name}: stories in the worst merge (of ${size} reports)`,
    value: stories,
    unit: 'stories',
  });
}

function languageFigures(
  context: SuiteContext,
  name: string,
  items: readonly LabelledItem[],
  grouping: Grouping,
  wanted: { readonly within?: Wanted; readonly across?: Wanted } = {},
): void {
  const within = scoreGrouping(items, grouping, withinLanguage);
  const across = scoreGrouping(items, grouping, acrossLanguages);
  context.figure({
    name: `${name}: pair F1 within a language`,
    value: within.f1,
    unit: '',
    ...wanted.within,
  });
  context.figure({ name: `${name}: pair F1 across languages`, value: across.f1, unit: '', ...wanted.across });
}

function simulatedWorld(context: SuiteContext, { model }: Method): readonly GroupingError[] {
  const days = context.quick ? 5 : 12;
  const { set, aliases } = newswireSet({ seed: 7, days, itemsPerDay: 100 });
  const known = { model, aliases: aliasTable([...builtInAliases(), ...aliases]) };
  const grouping = groupSet(set, known);
  figures(context, 'newswire', set.items, grouping);
  languageFigures(context, 'newswire', set.items, grouping, newswireGoals);
  const unknown = groupSet(set, { model, aliases: aliasTable(builtInAliases()) });
  languageFigures(context, 'newswire, its names not in the aliases', set.items, unknown);
  return groupingErrors(set.items, grouping);
}
