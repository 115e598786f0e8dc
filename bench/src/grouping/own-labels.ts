import type { AliasTable } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import type { StoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import { groupSet } from './group-set.ts';
import type { Grouping } from './grouping-scores.ts';
import type { LabelledReport, LabelledSet } from './labelled-set.ts';
import type { PairLabelSet } from './pair-labels.ts';
import { withStories } from './pair-labels.ts';
import type { TrainingPair } from './story-training.ts';
import { dayOf, fitHeadlines, foldCount, foldOfDay, isListing } from './story-training.ts';

const daysPerPart = 3;
const reportsMin = 50;

/** The labelled AI news in parts of three days, each about as large as the sets that are scored. */
export function ownParts(set: PairLabelSet): readonly LabelledSet[] {
  const news = withStories(set).filter((report) => !isListing(report));
  return [...Map.groupBy(news, (report) => Math.floor(dayOf(report) / daysPerPart))]
    .filter(([, reports]) => reports.length >= reportsMin)
    .map(([part, reports]) => ({
      name: `own labels, part ${part}`,
      reports: reports.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)),
      windowRows: Infinity,
    }));
}

/** Each part grouped by a model that saw none of its days. Stories of different parts never meet. */
export function crossValidate(
  parts: readonly LabelledSet[],
  pairs: readonly TrainingPair[],
  { model, aliases }: { readonly model: StoryModel; readonly aliases: AliasTable },
): { readonly reports: readonly LabelledReport[]; readonly grouping: Grouping } {
  const models = Array.from({ length: foldCount }, (_, fold) => ({
    ...model,
    pairs: fitHeadlines(pairs.filter((pair) => pair.fold !== fold)),
  }));
  const reports: LabelledReport[] = [];
  const grouping = new Map<string, string>();
  for (const part of parts) {
    const fold = foldOfDay(dayOf(part.reports[0] as LabelledReport));
    const grouped = groupSet(part, { model: models[fold] as StoryModel, aliases });
    for (const report of part.reports) {
      reports.push({ ...report, story: `${part.name} ${report.story}` });
      grouping.set(report.id, `${part.name} ${grouped.get(report.id) ?? report.id}`);
    }
  }
  return { reports, grouping };
}
