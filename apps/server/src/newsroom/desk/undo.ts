import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Result } from '../../foundation/result.ts';
import { refused } from '../../foundation/result.ts';
import type { Category, editions } from '../../record/index.ts';
import type { ItemOverride } from '../publication/item-override-store.ts';
import type { UnsupportedText } from './check-typed-text.ts';
import type { draftDecisions } from './decide-drafts.ts';
import type { entryDecisions } from './decide-entries.ts';
import type { itemDecisions } from './decide-items.ts';
import type { Dismissable, queueDecisions } from './decide-queue.ts';
import type { sourceDecisions } from './decide-sources.ts';
import type { storyDecisions } from './decide-stories.ts';
import type { FormState, StaleVersion } from './decide.ts';
import { isUniqueViolation, readJournalEntry } from './journal-store.ts';
import type { JournalEntry, SplitDigests } from './journal.ts';
import { hasInverse, laterDecisionsOf, stateToUndo } from './undo-rules.ts';

type Parts<Value> = { readonly title?: Value; readonly summary?: Value };

/** The decisions that undo others; the titles and words are those of before, which are not checked again. */
export interface UndoDesk {
  readonly items: ReturnType<typeof itemDecisions>;
  readonly entries: ReturnType<typeof entryDecisions>;
  readonly stories: ReturnType<typeof storyDecisions>;
  readonly queue: Pick<ReturnType<typeof queueDecisions>, 'reopen'>;
  readonly drafts: Pick<ReturnType<typeof draftDecisions>, 'undoDraftEdit'>;
  readonly sources: ReturnType<typeof sourceDecisions> | null;
  readonly clock: Clock;
  readonly correctItem: (
    request: FormState & {
      readonly itemId: Id<'item'>;
      readonly changes: Parts<string> & { readonly category?: Category };
      readonly reason: string;
      readonly restores: {
        readonly kept: Parts<boolean> & { readonly category?: boolean };
        readonly storyTitle?: { readonly from: string; readonly to: string };
        readonly storyDigests?: SplitDigests;
      };
    },
  ) => Promise<DeskOutcome>;
}

/** What a decision of a person ends with. */
export type DeskOutcome = Result<unknown, string> | StaleVersion | UnsupportedText;

type Inverse = (form: FormState, reason: string) => Promise<DeskOutcome>;

/**
 * Undoes a decision by the inverse decision, which needs its own permission and is an entry of its own. Refused if a
 * later decision changed the same again: that one is undone first.
 */
export function createUndo(database: Database, desk: UndoDesk) {
  return async ({
    id,
    reason,
    requestId,
    requestHash,
  }: {
    readonly id: string;
    /** Public, for a correction, a merge or a split. */
    readonly reason: string;
  } & Pick<FormState, 'requestId' | 'requestHash'>): Promise<DeskOutcome> => {
    const entry = await readJournalEntry(database, id);
    if (entry === null) return refused('unknown_entry');
    if (entry.undoneBy !== null)
      return refused(
        requestId !== undefined && entry.undoneByRequest === requestId
          ? 'repeated_request'
          : 'already_undone',
      );
    const inverse = hasInverse(entry, desk.clock.now()) ? inverseOf(desk, entry) : null;
    if (inverse === null) return refused('cannot_be_undone');
    const form = {
      undoes: id,
      requestId,
      requestHash,
      isUndoable: stateToUndo(entry).isAsLeft,
      laterDecisions: laterDecisionsOf(entry),
    };
    return inverse(form, reason).catch((error: unknown) => {
      // Two people undo the same entry at the same time: the first one did.
      if (isUniqueViolation(error)) return refused('already_undone');
      throw error;
    });
  };
}

function inverseOf(desk: UndoDesk, entry: JournalEntry): Inverse | null {
  const { action, subject, detail } = entry;
  if (action.startsWith('draft-'))
    return ({ undoes, requestId, requestHash }) =>
      desk.drafts.undoDraftEdit({
        kind: subject.kind as editions.EditionKind,
        period: subject.id,
        operationId: detail['operation'] as string,
        undoes,
        requestId,
        requestHash,
      });
  if (action === 'dismiss')
    return (form, reason) =>
      desk.queue.reopen({ subject: subject as Dismissable, reason, ...form, isUndoable: undefined });
  if (subject.kind === 'source') return inverseOfSource(desk, entry);
  if (subject.kind === 'entry') return inverseOfEntry(desk, entry);
  if (subject.kind === 'story') return inverseOfStory(desk, entry);
  if (subject.kind !== 'item') return null;
  return action === 'correct' ? inverseOfCorrection(desk, entry) : inverseOfSelection(desk, entry);
}

/** Null where this process has no registry of sources. */
function inverseOfSource(
  { sources }: UndoDesk,
  { action, subject, detail, before }: JournalEntry,
): Inverse | null {
  if (sources === null) return null;
  const id = subject.id as Id<'source'>;
  if (action === 'pause') return (form, reason) => sources.resumeSource({ id, reason, ...form });
  if (action === 'resume') return (form, reason) => sources.pauseSource({ id, reason, ...form });
  if (action === 'change-holds') {
    const holds = (detail['was'] ?? null) as Parameters<typeof sources.changeHolds>[0]['holds'];
    return (form, reason) => sources.changeHolds({ id, holds, reason, ...form });
  }
  if (action === 'change-owner') {
    if (before?.kind !== 'source' || before.owner === undefined) return null;
    const { owner, syndicate = null } = before;
    return (form, reason) => sources.changeOwner({ id, owner, syndicate, reason, ...form });
  }
  if (action !== 'change-tier') return null;
  const tier = detail['was'] as Parameters<typeof sources.changeTier>[0]['tier'];
  return (form, reason) => sources.changeTier({ id, tier, reason, ...form });
}

function inverseOfEntry({ entries }: UndoDesk, { action, subject, before }: JournalEntry): Inverse | null {
  const id = subject.id as Id<'item'>;
  if (before?.kind !== 'entry') return null;
  if (action === 'edit-entry')
    return (form) => entries.restoreWords({ id, words: before.words ?? noWords, ...form });
  if (action === 'accept') return (form, reason) => entries.reopenReview({ id, reason, ...form });
  return (form, reason) => entries.restoreEntry({ id, reason, to: before, ...form });
}

const noWords = { title: null, summary: null, category: null, unverified: null };

function inverseOfStory({ stories }: UndoDesk, entry: JournalEntry): Inverse | null {
  const { action, subject, detail, before, after } = entry;
  const storyId = subject.id as Id<'story'>;
  if (before?.kind !== 'story' || after?.kind !== 'story') return null;
  const { title, merge } = before;
  if (action === 'retitle')
    return (form, reason) =>
      stories.retitleStory({ storyId, title, byEditor: detail['was'] === true, reason, ...form });
  if (action === 'rewrite-digest') {
    const [language, sentences] = Object.entries(before.digests ?? {})[0] ?? [];
    if (language === undefined) return null;
    return (form, reason) =>
      stories.rewriteDigest({
        storyId,
        language: language as ReaderLanguage,
        sentences: sentences ?? null,
        byEditor: detail['was'] === true,
        reason,
        ...form,
      });
  }
  if (action === 'split')
    return (form, reason) =>
      stories.mergeStories({
        absorbedId: detail['storyId'] as Id<'story'>,
        survivorId: storyId,
        reason,
        ...(after.title !== title && { survivorTitle: { from: after.title, to: title } }),
        ...(before.split !== undefined && { survivorDigests: before.split }),
        ...form,
      });
  if (action !== 'merge' || merge === undefined) return null;
  return (form, reason) =>
    stories.unmergeStories({
      absorbedId: storyId,
      survivorId: detail['into'] as Id<'story'>,
      itemIds: detail['items'] as readonly Id<'item'>[],
      before: merge,
      reason,
      ...form,
    });
}

/** With the reason of before; rules decide again if they did. */
function inverseOfSelection(
  { items }: UndoDesk,
  { subject, before, after, detail }: JournalEntry,
): Inverse | null {
  if (before?.kind !== 'item' || after?.kind !== 'item') return null;
  const { representative } = before;
  const selectionOf = (name: string) => (detail[name] ?? null) as ItemOverride['selection'];
  const itemId = subject.id as Id<'item'>;
  const own = { selection: selectionOf('was') };
  if (before.selected)
    return (form) => items.selectItem({ itemId, reason: before.reason ?? '', restores: own, ...form });
  if (representative === undefined)
    return (form, reason) => items.unselectItem({ itemId, reason, restores: own, ...form });
  const restores = { selection: selectionOf('wasReplaced'), replaced: own.selection };
  return (form) =>
    items.selectItem({
      itemId: representative.id as Id<'item'>,
      reason: representative.reason ?? '',
      restores,
      ...form,
      // The other item is the subject: this one must still represent the group, for the same reason.
      isUndoable: (current) =>
        current?.kind === 'item' &&
        current.representative?.id === subject.id &&
        current.representative.reason === after.reason,
    });
}

function inverseOfCorrection(
  desk: UndoDesk,
  { subject, before, after, detail }: JournalEntry,
): Inverse | null {
  if (before?.kind !== 'item' || after?.kind !== 'item') return null;
  const parts = detail['changed'] as readonly ('title' | 'summary' | 'category')[];
  const changes = Object.fromEntries(parts.map((part) => [part, before[part]]));
  const kept = (detail['was'] ?? {}) as Parts<boolean>;
  const { story } = before;
  const isRetitled = story !== undefined && after.story !== undefined && story.title !== after.story.title;
  const ofStory = {
    ...(isRetitled && { storyTitle: { from: after.story?.title ?? '', to: story.title } }),
    ...(story?.digests !== undefined && { storyDigests: story.digests }),
  };
  return (form, reason) =>
    desk.correctItem({
      itemId: subject.id as Id<'item'>,
      changes,
      reason,
      restores: { kept, ...ofStory },
      ...form,
    });
}
