import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Decisions, Publisher } from '../../record/index.ts';
import { corrections } from '../../record/index.ts';
import type { ItemCopy } from '../copy/writer.ts';
import { statementWithoutProof } from '../editions/apply-words.ts';
import type { RuleEntry } from '../rule-journal-store.ts';
import { recordRuleEntries } from '../rule-journal-store.ts';
import type { StoryDeps } from '../stories/place-items.ts';
import { notePublishing, tryPlacementTurn } from '../stories/story-index-store.ts';
import { requestDigestsAtOnce, requestDigestsSoon } from './digest-story.ts';
import { deleteEntryEdits } from './entry-edit-store.ts';
import { heldBecauseOfSource, holdEntry } from './entry-hold-store.ts';
import { recordReviews } from './entry-review-store.ts';
import type { RepresentativeDeps } from './group-representative.ts';
import { judgeInPlace, settleRepresentative, withdrawItem } from './group-representative.ts';
import { overrideWords, proposeWords, readItemOverride } from './item-override-store.ts';
import { readItemStanding } from './item-standing-store.ts';
import type { PreparedEntry } from './prepare-entry.ts';
import type { ItemToPlaceAndPublish, SettledItem } from './publish-placed-items.ts';
import { publishPlacedItems } from './publish-placed-items.ts';
import { titleIsInstruction } from './review-entries.ts';
import { settlePlacements } from './settle-placements.ts';
import type { EntryOutcome } from './unpublished-entry-store.ts';
import { lockUnpublished, markShown, recordOutcome } from './unpublished-entry-store.ts';

export interface BatchDeps {
  readonly publisher: Publisher;
  readonly stories: StoryDeps;
  /** Of the installation: reasons are written in it. */
  readonly language: ReaderLanguage;
}

/**
 * Publishes entries and revises the items of edited or withdrawn entries in one transaction: items, stories,
 * selection, and the shown revision. New entries off the subject are declined. An entry that was edited since its
 * preparation is processed again. Returns the number of finished entries; null if another process is placing items.
 */
export async function publishBatch(
  deps: BatchDeps,
  transaction: Transaction<DB>,
  holder: string,
  prepared: readonly PreparedEntry[],
): Promise<number | null> {
  if (!(await tryPlacementTurn(transaction))) return null;
  await notePublishing(transaction, holder);
  const locked = await lockUnpublished(
    transaction,
    prepared.map(({ entry }) => entry.id),
  );
  const current = prepared.filter(({ entry }) => locked.get(entry.id)?.revision === entry.revision);
  const isNew = ({ entry }: PreparedEntry): boolean =>
    locked.get(entry.id)?.isPublished === false && !entry.isWithdrawn;
  const held = current.filter(hasNoHeadline);
  const declined = current.filter((entry) => isNew(entry) && isOffTopic(entry) && !held.includes(entry));
  await recordOutcomes(deps, transaction, held, 'held', titleIsInstruction);
  await recordOutcomes(deps, transaction, declined, 'declined', 'The entry is not about the AI industry.');
  const passed = current.filter((entry) => !held.includes(entry) && !declined.includes(entry));
  const waiting = passed.filter((entry) => isNew(entry) && waitsForEditor(entry));
  await holdForEditor(deps, transaction, waiting);
  const now = deps.stories.clock.now();
  const shown = passed.filter((entry) => !waiting.includes(entry)).map((one) => foundUntil(one, now));
  await deps.publisher.within(transaction, async (decisions) => {
    const stories = [
      ...(await publishNew(deps, transaction, decisions, shown.filter(isNew))),
      ...(await reviseAll(
        deps,
        transaction,
        decisions,
        shown.filter((entry) => !isNew(entry)),
      )),
    ];
    await requestDigestsSoon(transaction, deps.stories.clock, stories);
  });
  await recordReviews(transaction, current, deps.stories.clock.now());
  await markShown(
    transaction,
    shown.map(({ entry }) => entry.id),
  );
  return current.length;
}

/** A worker whose clock is ahead can have found it later than now; the record has no times of the future. */
function foundUntil(prepared: PreparedEntry, now: EpochMicroseconds): PreparedEntry {
  const { entry } = prepared;
  if (entry.discoveredAt <= now) return prepared;
  const publishedAt = entry.publishedAt !== null && entry.publishedAt > now ? now : entry.publishedAt;
  return { ...prepared, entry: { ...entry, publishedAt, discoveredAt: now } };
}

/** Its title is an instruction to machines: an editor decides. */
function hasNoHeadline({ entry, copy }: PreparedEntry): boolean {
  return copy.title === '' && entry.title !== '' && !entry.isWithdrawn;
}

/** Only new entries are declined for their subject: published items stay. */
function isOffTopic({ entry, judged }: PreparedEntry): boolean {
  return judged.relevance.isOffTopic && !entry.source.allSubjects && !entry.subjectAccepted;
}

/** New entries of its source wait for an editor, and no editor has released this one. */
function waitsForEditor({ entry }: PreparedEntry): boolean {
  const { holds } = entry.source;
  return (
    (holds === 'all' || (holds === 'first-import' && entry.firstImport)) && entry.edit?.released !== true
  );
}

async function holdForEditor(
  { stories }: BatchDeps,
  transaction: Transaction<DB>,
  entries: readonly PreparedEntry[],
): Promise<void> {
  const at = stories.clock.now();
  for (const { entry } of entries)
    await holdEntry(transaction, entry.id, { state: 'held', until: null, reason: heldBecauseOfSource, at });
  await recordRuleEntries(
    transaction,
    at,
    entries.map(({ entry }) => ({
      action: 'hold',
      subject: { kind: 'entry', id: entry.id },
      rule: 'source',
      features: { source: entry.source.id },
    })),
  );
}

async function recordOutcomes(
  { stories }: BatchDeps,
  transaction: Transaction<DB>,
  entries: readonly PreparedEntry[],
  outcome: EntryOutcome,
  reason: string,
): Promise<void> {
  const at = stories.clock.now();
  for (const { entry } of entries)
    await recordOutcome(transaction, entry, { outcome, reason, at, release: null });
}

/** Returns the stories that an item joined: several items report them. */
async function publishNew(
  { stories, language }: BatchDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  entries: readonly PreparedEntry[],
): Promise<readonly Id<'story'>[]> {
  if (entries.length === 0) return [];
  const deps = { clock: stories.clock, language };
  let settled: readonly SettledItem[] = [];
  const published = await publishPlacedItems(
    stories,
    transaction,
    decisions,
    entries.map(itemOf),
    async (placements) => {
      settled = await settlePlacements(deps, transaction, entries, placements);
      return settled;
    },
  );
  if (!published.ok) throw new Error(`entries cannot be published: ${published.reason}`);
  await recordRuleEntries(transaction, stories.clock.now(), selectionsOf(entries, settled));
  await settleEdits(deps, transaction, decisions, entries);
  const merged = published.value.filter(({ merges }) => merges.length > 0);
  await requestDigestsAtOnce(
    transaction,
    stories.clock,
    merged.flatMap(({ finalStoryId }) => finalStoryId ?? []),
  );
  return published.value.flatMap(({ kind, finalStoryId }) =>
    kind === 'open' || finalStoryId === null ? [] : [finalStoryId],
  );
}

/** Rules leave the words of an editor as they are. Those that the article does not support say so in public. */
async function settleEdits(
  { language }: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  entries: readonly PreparedEntry[],
): Promise<void> {
  const edited = entries.filter(({ entry }) => entry.edit !== null);
  for (const { entry } of edited) {
    const { title = null, summary = null, category = null, unverified = null } = entry.edit ?? {};
    const words = { ...(title !== null && { title }), ...(summary !== null && { summary }) };
    if (unverified !== null) {
      const reason = statementWithoutProof(unverified, language);
      const corrected = await decisions.correctItem({ itemId: entry.id, changes: words, reason });
      if (!corrected.ok && corrected.reason !== 'nothing_corrected')
        throw new Error(`the words of an editor cannot be published: ${corrected.reason}`);
    }
    if (title !== null || summary !== null || category !== null)
      await overrideWords(transaction, entry.id, {
        ...(title !== null && { title: true }),
        ...(summary !== null && { summary: true }),
        ...(category !== null && { category: true }),
      });
  }
  await deleteEntryEdits(
    transaction,
    edited.map(({ entry }) => entry.id),
  );
}

function selectionsOf(
  entries: readonly PreparedEntry[],
  settled: readonly SettledItem[],
): readonly RuleEntry[] {
  return entries.flatMap(({ entry }, at) => {
    const { selection = null, features = {} } = settled[at] ?? {};
    return selection === null
      ? []
      : [{ action: 'select', subject: { kind: 'item', id: entry.id }, rule: 'selection', features } as const];
  });
}

function itemOf({ entry, copy, read, judged, removed }: PreparedEntry): ItemToPlaceAndPublish {
  const { id, source, publishedAt, discoveredAt, firstImport } = entry;
  const { title, originalTitle, language, summary } = copy;
  return {
    id,
    source,
    syndicate: source.syndicate,
    title,
    originalTitle,
    language,
    summary,
    category: judged.category,
    originalUrl: entry.url,
    publishedAt,
    discoveredAt,
    firstImport,
    textRemoved: removed.length > 0,
    read,
  };
}

async function reviseAll(
  { stories, language }: BatchDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  entries: readonly PreparedEntry[],
): Promise<readonly Id<'story'>[]> {
  const deps = { clock: stories.clock, language };
  const revised: Id<'story'>[] = [];
  for (const entry of entries) {
    const storyId = await reviseEntry(deps, transaction, decisions, entry);
    if (storyId !== null) revised.push(storyId);
  }
  return revised;
}

/**
 * Updates the item of an edited or withdrawn entry. Returns the story whose digest must be written again; null if
 * there is none.
 */
async function reviseEntry(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  { entry, copy, judged, removed }: PreparedEntry,
): Promise<Id<'story'> | null> {
  if (entry.isWithdrawn) {
    const request = { itemId: entry.id, reason: corrections.correctionReason('withdrawn-by-publisher') };
    const withdrawn = await withdrawItem(deps, transaction, decisions, request);
    if (withdrawn.ok)
      await recordRuleEntries(transaction, deps.clock.now(), [
        {
          action: 'withdraw',
          subject: { kind: 'item', id: entry.id },
          rule: 'withdrawn-by-publisher',
          features: {},
        },
      ]);
    return null;
  }
  const standing = await readItemStanding(transaction, entry.id);
  // Withdrawn: later edits do not republish it.
  if (standing === null) return null;
  const judgement = judgeInPlace(judged, standing, deps.language);
  const changes = {
    ...(await unlessWrittenByEditor(transaction, entry.id, { ...copy, category: judgement.category })),
    textRemoved: removed.length > 0,
    score: judgement.score.value,
  };
  await decisions.reviseItem({ itemId: entry.id, changes });
  await settleRepresentative(deps, transaction, decisions, { entry, judgement, standing });
  return standing.owners > 1 ? standing.storyId : null;
}

/** The parts of an item that no person wrote. The rules' words for the other parts are stored as a proposal. */
async function unlessWrittenByEditor(
  transaction: Transaction<DB>,
  itemId: Id<'item'>,
  { title, originalTitle, language, summary, category }: ItemCopy & Pick<ItemToPlaceAndPublish, 'category'>,
) {
  const written = { title, originalTitle, language, summary, category };
  const override = await readItemOverride(transaction, itemId);
  if (override === null) return written;
  await proposeWords(transaction, itemId, { title, summary });
  return {
    originalTitle,
    ...(!override.keepsTitle && { title }),
    ...(!override.keepsSummary && { summary }),
    ...(!override.keepsTitle && !override.keepsSummary && { language }),
    ...(!override.keepsCategory && { category }),
  };
}
