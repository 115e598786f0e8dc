import { removedInstructions } from '../copy/instructions-in-text.ts';
import type { ReadJudgement } from '../copy/judgement/index.ts';
import { readForJudgement } from '../copy/judgement/index.ts';
import { titleByRule } from '../copy/title-by-rule.ts';
import { writeByRule } from '../copy/write-by-rule.ts';
import type { EntryText, ItemCopy } from '../copy/writer.ts';
import type { ReadItem } from '../stories/matching/reading-groups.ts';
import type { StoryDeps } from '../stories/place-items.ts';
import { readItem } from '../stories/place-items.ts';
import type { EntryEdit } from './entry-edit-store.ts';
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
  const { title, text, url, publishedAt, discoveredAt } = entry;
  const judged = judgeEntry(entry);
  const byModel =
    entry.copy?.title === '' ? { ...entry.copy, title: titleByRule(entryText(entry)) } : entry.copy;
  const copy = withWordsOfEditor(byModel ?? copyByRule(entry, judged), entry.edit);
  const { isListing: listing } = judged;
  return {
    copy,
    read: readItem(stories, { ...copy, text, listing, originalUrl: url, publishedAt, discoveredAt }),
    judged: { ...judged, category: entry.edit?.category ?? judged.category },
    removed: removedInstructions({ title, text }).filter(
      (part) => !isTitleAccepted(entry) || part !== title.trim(),
    ),
  };
}

function isTitleAccepted({ title, acceptedTexts }: EntryToPublish): boolean {
  return acceptedTexts.includes(title.trim());
}

function entryText(entry: EntryToPublish): EntryText {
  const { title, text, url, titleEnds, source, language } = entry;
  return {
    title,
    text,
    language: language ?? 'en',
    sourceName: source.name,
    url,
    titleEnds,
    isTitleAccepted: isTitleAccepted(entry),
  };
}

/** The words of the rules, whatever a model or an editor wrote. */
export function copyByRule(entry: EntryToPublish, { kind }: ReadJudgement): ItemCopy {
  return writeByRule({ ...entryText(entry), isReleaseNotes: kind === 'release-notes' });
}

/** Words that the article does not support are published as a correction of those of the rules. */
function withWordsOfEditor(copy: ItemCopy, edit: EntryEdit | null): ItemCopy {
  if (edit === null || edit.unverified !== null) return copy;
  return { ...copy, title: edit.title ?? copy.title, summary: edit.summary ?? copy.summary };
}

/** The judgement of an entry's own words; it is under review while an editor has not accepted what was removed. */
export function judgeEntry(entry: EntryToPublish): ReadJudgement {
  const { title, text, url, source, acceptedTexts } = entry;
  const isUnderReview = removedInstructions({ title, text }).some(
    (removed) => !acceptedTexts.includes(removed),
  );
  return { ...readForJudgement({ title, text, url, source }), ...(isUnderReview && { isUnderReview }) };
}
