import type { ReadJudgement } from '../copy/judgement/index.ts';
import { readForJudgement } from '../copy/judgement/index.ts';
import { writeByRule } from '../copy/write-by-rule.ts';
import type { ItemCopy } from '../copy/writer.ts';
import type { ReadItem } from '../stories/matching/reading-groups.ts';
import type { StoryDeps } from '../stories/place-items.ts';
import { readItem } from '../stories/place-items.ts';
import type { EntryToPublish } from './unpublished-entry-store.ts';

/** All values derived from an entry alone, as plain data. */
export interface Preparation {
  readonly copy: ItemCopy;
  readonly read: ReadItem;
  readonly judged: ReadJudgement;
}

export interface PreparedEntry extends Preparation {
  readonly entry: EntryToPublish;
}

/** Pure. Judges title and text of the source, whether a model or a rule wrote the copy. */
export function prepareEntry(stories: Pick<StoryDeps, 'aliases'>, entry: EntryToPublish): Preparation {
  const { title, text, url, source, publishedAt, discoveredAt } = entry;
  const { titleEnds } = entry;
  const written = { title, text, language: entry.language ?? 'en', sourceName: source.name, url, titleEnds };
  const copy = entry.copy ?? writeByRule(written);
  const judged = readForJudgement({ title, text, url, source });
  const { isListing: listing } = judged;
  const read = readItem(stories, { ...copy, text, listing, originalUrl: url, publishedAt, discoveredAt });
  return { copy, read, judged };
}
