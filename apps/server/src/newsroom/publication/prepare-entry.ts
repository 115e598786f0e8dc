import { removedInstructions } from '../copy/instructions-in-text.ts';
import type { ReadJudgement } from '../copy/judgement/index.ts';
import { readForJudgement } from '../copy/judgement/index.ts';
import { titleByRule } from '../copy/title-by-rule.ts';
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
  /** Instructions to machines in the source's words that the copy does not contain. */
  readonly removed: readonly string[];
}

export interface PreparedEntry extends Preparation {
  readonly entry: EntryToPublish;
}

/** Pure. Judges title and text of the source, whether a model or a rule wrote the copy. */
export function prepareEntry(stories: Pick<StoryDeps, 'aliases'>, entry: EntryToPublish): Preparation {
  const { title, text, url, source, publishedAt, discoveredAt } = entry;
  const { titleEnds } = entry;
  const isTitleAccepted = entry.acceptedTexts.includes(title.trim());
  const sourceName = source.name;
  const written = {
    title,
    text,
    language: entry.language ?? 'en',
    sourceName,
    url,
    titleEnds,
    isTitleAccepted,
  };
  const judged = judgeEntry(entry);
  const byModel = entry.copy?.title === '' ? { ...entry.copy, title: titleByRule(written) } : entry.copy;
  const copy = byModel ?? writeByRule({ ...written, isReleaseNotes: judged.kind === 'release-notes' });
  const { isListing: listing } = judged;
  return {
    copy,
    read: readItem(stories, { ...copy, text, listing, originalUrl: url, publishedAt, discoveredAt }),
    judged,
    removed: removedInstructions({ title, text }).filter((part) => !isTitleAccepted || part !== title.trim()),
  };
}

/** The judgement of an entry's own words; it is under review while an editor has not accepted what was removed. */
export function judgeEntry(entry: EntryToPublish): ReadJudgement {
  const { title, text, url, source, acceptedTexts } = entry;
  const isUnderReview = removedInstructions({ title, text }).some(
    (removed) => !acceptedTexts.includes(removed),
  );
  return { ...readForJudgement({ title, text, url, source }), ...(isUnderReview && { isUnderReview }) };
}
