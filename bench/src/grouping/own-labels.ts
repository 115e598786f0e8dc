import type { AliasTable } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import type { StoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import { groupSet } from './group-set.ts';
import type { Grouping } from './grouping-scores.ts';
import type { LabelledItem, LabelledSet } from './labelled-set.ts';
import type { PairLabelSet } from './pair-labels.ts';
import { withStories } from './pair-labels.ts';
import type { TrainingPair } from './story-training.ts';
import { dayOf, fitHeadlines, foldCount, foldOfDay, isListing } from './story-training.ts';

const daysPerPart = 3;
const itemsMin = 50;

/** The labelled AI news in parts of three days, each about as large as the sets that are scored. */
export function ownParts(set: PairLabelSet): readonly LabelledSet[] {
  const news = withStories(set).filter((item) => !isListing(item));
  return [...Map.groupBy(news, (item) => Math.floor(dayOf(item) / daysPerPart))]
    .filter(([, items]) => items.length >= itemsMin)
    .map(([part, items]) => ({
      name: `own labels, part ${part}`,
      items: items.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)),
      windowRows: Infinity,
    }));
}

/** Each part grouped by a model trained without its days. Stories of different parts are never joined. */
export function crossValidate(
  parts: readonly LabelledSet[],
  pairs: readonly TrainingPair[],
  { model, aliases }: { readonly model: StoryModel; readonly aliases: AliasTable },
): { readonly items: readonly LabelledItem[]; readonly grouping: Grouping } {
  const models = Array.from({ length: foldCount }, (_, fold) => ({
    ...model,
    pairs: fitHeadlines(pairs.filter((pair) => pair.fold !== fold)),
  }));
  const items: LabelledItem[] = [];
  const grouping = new Map<string, string>();
  for (const part of parts) {
    const fold = foldOfDay(dayOf(part.items[0] as LabelledItem));
    const grouped = groupSet(part, { model: models[fold] as StoryModel, aliases });
    for (const item of part.items) {
      items.push({ ...item, story: `${part.name} ${item.story}` });
      grouping.set(item.id, `${part.name} ${grouped.get(item.id) ?? item.id}`);
    }
  }
  return { items, grouping };
}
