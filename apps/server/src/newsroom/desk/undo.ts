import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { refused } from '../../foundation/result.ts';
import type { Category, editions } from '../../record/index.ts';
import { openDrafts } from '../editions/draft-edition.ts';
import type { UnsupportedText } from './check-typed-text.ts';
import type { draftDecisions } from './decide-drafts.ts';
import type { entryDecisions } from './decide-entries.ts';
import type { itemDecisions } from './decide-items.ts';
import type { sourceDecisions } from './decide-sources.ts';
import type { storyDecisions } from './decide-stories.ts';
import type { FormState, StaleVersion } from './decide.ts';
import { isUniqueViolation, readItemState, readJournalEntry } from './journal-store.ts';
import type { JournalEntry } from './journal.ts';
import { versionOf } from './journal.ts';

/** The decisions that undo others; the titles and words are those of before, which are not checked again. */
export interface UndoDesk {
  readonly items: ReturnType<typeof itemDecisions>;
  readonly entries: ReturnType<typeof entryDecisions>;
  readonly stories: ReturnType<typeof storyDecisions>;
  readonly drafts: Pick<ReturnType<typeof draftDecisions>, 'undoDraftEdit'>;
  readonly sources: ReturnType<typeof sourceDecisions> | null;
  readonly clock: Clock;
  readonly correctItem: (
    request: FormState & {
      readonly itemId: Id<'item'>;
      readonly changes: ItemParts;
      readonly reason: string;
      readonly byRule: boolean;
    },
  ) => Promise<DeskOutcome>;
}

interface ItemParts {
  readonly title?: string;
  readonly summary?: string;
  readonly category?: Category;
}

/** What a decision of a person ends with. */
export type DeskOutcome = Result<unknown, string> | StaleVersion | UnsupportedText;

type Inverse = (form: FormState, reason: string) => Promise<DeskOutcome>;

/** Undoes a decision by the inverse decision, which needs its own permission and is an entry of its own. */
export function createUndo(database: Database, desk: UndoDesk) {
  return async ({
    id,
    reason,
    requestId,
  }: {
    readonly id: string;
    /** Public, for a correction, a merge or a split. */
    readonly reason: string;
    readonly requestId?: string | undefined;
  }): Promise<DeskOutcome> => {
    const entry = await readJournalEntry(database, id);
    if (entry === null) return refused('unknown_entry');
    if (entry.undoneBy !== null) return refused('already_undone');
    const inverse = inverseOf(database, desk, entry);
    if (inverse === null) return refused('cannot_be_undone');
    return inverse({ undoes: id, requestId }, reason).catch((error: unknown) => {
      // Two people undo the same entry at the same time: the first one did.
      if (isUniqueViolation(error)) return refused('already_undone');
      throw error;
    });
  };
}

const undoableEdits: ReadonlySet<string> = new Set(['drop', 'add', 'pin', 'move', 'rewrite', 'note']);
const undoable: ReadonlySet<string> = new Set([
  'select',
  'unselect',
  'hold',
  'retitle',
  'merge',
  'split',
  'pause',
  'resume',
  'change-tier',
]);

/** Whether the pages offer to undo it now. */
export function canBeUndone(entry: JournalEntry, now: EpochMicroseconds): boolean {
  const { action, subject, undoneBy, isErased, detail } = entry;
  if (undoneBy !== null || entry.actor.kind === 'rule') return false;
  if (action.startsWith('draft-'))
    return (
      undoableEdits.has(action.slice('draft-'.length)) &&
      openDrafts(now).some(({ kind, period }) => kind === subject.kind && period === subject.id)
    );
  if (isErased) return false;
  if (action === 'correct') return subject.kind === 'item' && entry.before !== null;
  if (action === 'drop') return detail['was'] === 'waiting';
  return undoable.has(action);
}

function inverseOf(database: Database, desk: UndoDesk, entry: JournalEntry): Inverse | null {
  if (!canBeUndone(entry, desk.clock.now())) return null;
  const { action, subject, detail, before } = entry;
  if (action.startsWith('draft-'))
    return (form) =>
      desk.drafts.undoDraftEdit({
        kind: subject.kind as editions.EditionKind,
        period: subject.id,
        operationId: detail['operation'] as string,
        ...form,
      });
  const [itemId, storyId] = [subject.id as Id<'item'>, subject.id as Id<'story'>];
  if (subject.kind === 'source') return inverseOfSource(desk, entry);
  if (action === 'select' || action === 'unselect') return inverseOfSelection(desk, entry);
  if (action === 'hold' || action === 'drop')
    return (form) => desk.entries.releaseEntry({ id: itemId, ...form });
  if (action === 'correct') return (form, reason) => undoCorrection(database, desk, entry, { form, reason });
  if (action === 'retitle' && before?.kind === 'story')
    return (form, reason) => desk.stories.retitleStory({ storyId, title: before.title, reason, ...form });
  if (action === 'merge' && before?.kind === 'story')
    return (form, reason) =>
      desk.stories.splitStory({
        storyId: detail['into'] as Id<'story'>,
        itemIds: detail['items'] as readonly Id<'item'>[],
        title: before.title,
        reason,
        ...form,
      });
  if (action === 'split')
    return (form, reason) =>
      desk.stories.mergeStories({
        absorbedId: detail['storyId'] as Id<'story'>,
        survivorId: storyId,
        reason,
        ...form,
      });
  return null;
}

/** Null where this process has no registry of sources. */
function inverseOfSource({ sources }: UndoDesk, { action, subject, detail }: JournalEntry): Inverse | null {
  if (sources === null) return null;
  const id = subject.id as Id<'source'>;
  if (action === 'pause') return (form, reason) => sources.resumeSource({ id, reason, ...form });
  if (action === 'resume') return (form, reason) => sources.pauseSource({ id, reason, ...form });
  const tier = detail['was'] as Parameters<typeof sources.changeTier>[0]['tier'];
  return (form, reason) => sources.changeTier({ id, tier, reason, ...form });
}

/** The selection returns to the rules, with the reason of before. */
function inverseOfSelection({ items }: UndoDesk, { subject, before }: JournalEntry): Inverse | null {
  if (before?.kind !== 'item') return null;
  const select = (id: string, text: string | null): Inverse => {
    return (form) =>
      items.selectItem({ itemId: id as Id<'item'>, reason: text ?? '', byRule: true, ...form });
  };
  if (before.selected) return select(subject.id, before.reason);
  if (before.representative !== undefined)
    return select(before.representative.id, before.representative.reason);
  return (form, reason) =>
    items.unselectItem({ itemId: subject.id as Id<'item'>, reason, byRule: true, ...form });
}

/** Refused if a later decision changed the same parts again. */
async function undoCorrection(
  database: Database,
  desk: UndoDesk,
  { subject, before, after, detail }: JournalEntry,
  { form, reason }: { readonly form: FormState; readonly reason: string },
): Promise<DeskOutcome> {
  const itemId = subject.id as Id<'item'>;
  const current = await readItemState(database, itemId);
  if (before?.kind !== 'item' || after?.kind !== 'item' || current?.kind !== 'item')
    return refused('cannot_be_undone');
  const parts = (['title', 'summary', 'category'] as const).filter((part) =>
    (detail['changed'] as readonly string[]).includes(part),
  );
  if (parts.some((part) => current[part] !== after[part])) return refused('changed_since');
  const changes = Object.fromEntries(parts.map((part) => [part, before[part]])) as ItemParts;
  const version = versionOf(current);
  return desk.correctItem({ itemId, changes, reason, byRule: true, version, ...form });
}
