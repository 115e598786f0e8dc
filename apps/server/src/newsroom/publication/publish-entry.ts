import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { readForJudgement } from '../copy/judgement/index.ts';
import { writeByRule } from '../copy/write-by-rule.ts';
import type { ItemCopy } from '../copy/writer.ts';
import type { Decisions, StoryDeps } from '../stories/index.ts';
import { publishReport } from '../stories/index.ts';
import { requestDigestSoon } from './digest-story.ts';
import type { EntryToPublish } from './entry-to-publish-store.ts';
import { judgeInPlace, settleRepresentative, withdrawReport } from './group-representative.ts';
import { readItemStanding } from './item-standing-store.ts';

export interface EntryDeps {
  readonly stories: StoryDeps;
  /** Of the installation: reasons are written in it. */
  readonly language: 'en' | 'zh';
}

/** An entry with its copy, read for its judgement. */
export interface PreparedEntry {
  readonly entry: EntryToPublish;
  readonly copy: ItemCopy;
  readonly judgeAs: ReturnType<typeof readForJudgement>;
}

/** Title and text of the source are what is judged, whoever wrote the copy. */
export function prepareEntry(
  { language }: EntryDeps,
  entry: EntryToPublish,
  written: ItemCopy | null,
): PreparedEntry {
  const { title, text, url, source } = entry;
  const copy =
    written ?? writeByRule({ title, text, language: entry.language ?? 'en', sourceName: source.name });
  return { entry, copy, judgeAs: readForJudgement({ title, text, url, source }, language) };
}

/**
 * Publishes an entry into its reading group and its story, or revises its item, and settles who speaks for the
 * group. How the item stands among the others is known once it is in its place, so its score is settled then.
 */
export async function publishEntry(
  deps: EntryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  prepared: PreparedEntry,
): Promise<void> {
  const { entry, copy, judgeAs } = prepared;
  const representatives = { clock: deps.stories.clock, language: deps.language };
  if (entry.isWithdrawn) {
    const request = { itemId: entry.id, reason: 'Its publisher withdrew it.' };
    await withdrawReport(representatives, transaction, decisions, request);
    return;
  }
  const { id, source, publishedAt, discoveredAt, firstImport } = entry;
  const { title, originalTitle, language, summary } = copy;
  const first = judgeAs({ novelty: 'first', owners: 1 });
  const facts = { title, originalTitle, language, summary, category: first.category };
  if (entry.shownRevision === null) {
    const published = await publishReport(deps.stories, transaction, decisions, {
      id,
      source,
      ...facts,
      score: first.score.value,
      originalUrl: entry.url,
      publishedAt,
      discoveredAt,
      firstImport,
    });
    if (!published.ok && published.reason !== 'already_published')
      throw new Error(`entry ${id}: ${published.reason}`);
  }
  const standing = await readItemStanding(transaction, id);
  // Withdrawn: what its publisher edits afterwards brings it back to nobody.
  if (standing === null) return;
  const judgement = judgeInPlace(judgeAs, standing);
  const score = judgement.score.value;
  if (entry.shownRevision !== null || score !== first.score.value)
    await decisions.reviseItem({ itemId: id, changes: { ...facts, score } });
  await settleRepresentative(representatives, transaction, decisions, { entry, judgement, standing });
  if (standing.storyId !== null && standing.owners > 1)
    await requestDigestSoon(transaction, deps.stories.clock, standing.storyId);
}
