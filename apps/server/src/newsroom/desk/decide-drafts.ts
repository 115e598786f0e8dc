import { randomBytes } from 'node:crypto';

import type { Transaction } from 'kysely';

import { hourMs } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import { addMs, isoMilliseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Decisions, editions } from '../../record/index.ts';
import type { EditionCandidate } from '../editions/choose-entries.ts';
import { editionSizes } from '../editions/choose-entries.ts';
import type { Draft } from '../editions/draft-edition.ts';
import { findAddable, findOpenDraft, readDraft } from '../editions/draft-edition.ts';
import {
  insertOperation,
  insertUndo,
  lockDraft,
  readOperations,
} from '../editions/edition-operation-store.ts';
import type { OperationTarget, SavedOperation } from '../editions/edition-operation.ts';
import { eventOf, includedItems } from '../editions/edition-operation.ts';
import type { UnsupportedText } from './check-typed-text.ts';
import type { Decide, DecisionRequest, FormState, InspectedState } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import type { DraftDeps } from './draft-words.ts';
import { changedWords, draftFindings, prepareNote, prepareRewrite } from './draft-words.ts';
import { deletePreviews, insertPreview } from './edition-preview-store.ts';
import { stateOfDraft } from './journal.ts';

/** What an editor changes in a draft. */
export type DraftChange =
  | { readonly op: 'drop' | 'add' | 'pin'; readonly itemId: Id<'item'> }
  | { readonly op: 'move'; readonly itemId: Id<'item'>; readonly beforeId: Id<'item'> | null }
  | {
      readonly op: 'rewrite';
      readonly language: ReaderLanguage;
      readonly headline: string;
      readonly overview: string;
      /** Publishes text that the sources do not support, with this public statement. */
      readonly unverified?: string | undefined;
    }
  | {
      readonly op: 'note';
      readonly language: ReaderLanguage;
      readonly note: string;
      /** The same for a note. */
      readonly unverified?: string | undefined;
    };

type DraftRequest = FormState & editions.EditionKey;
type Prepared = Result<Omit<SavedOperation, 'id'>, string> | UnsupportedText;

/** Of one draft: a limit for forms that repeat by mistake. */
const operationsMax = 300;
/** A private address is valid for so long. */
const previewMs = hourMs;

/** Decisions of editors about the draft of an edition, from an hour before it is published. */
export function draftDecisions(deps: DraftDeps, decide: Decide) {
  return {
    editDraft: editBy(deps, decide),
    undoDraftEdit: undoBy(deps, decide),
    checkDraftText: checkBy(deps),
    ...previewDecisions(deps, decide),
  };
}

function about(
  name: 'preview' | 'end-previews' | 'undo' | DraftChange['op'],
  { kind, period, ...form }: DraftRequest,
): DecisionRequest {
  return {
    action: `draft-${name}`,
    subject: { kind, id: period },
    permission: deskActions.editions.compose,
    reason: null,
    ...form,
    inspect: inspectDraft({ kind, period }),
  };
}

/** Locks the draft: the next decision, or the publication of the edition, waits for the end of this transaction. */
function inspectDraft(key: editions.EditionKey) {
  return async (transaction: Transaction<DB>): Promise<InspectedState> => {
    await lockDraft(transaction, key);
    const operations = await readOperations(transaction, key);
    return {
      state: stateOfDraft(operations),
      itemIds: [...new Set(operations.flatMap(({ itemIds }) => itemIds))],
    };
  };
}

function editBy(deps: DraftDeps, decide: Decide) {
  return ({ change, ...request }: DraftRequest & { readonly change: DraftChange }) =>
    decide(about(change.op, request), async (transaction, decisions) => {
      const { kind, period } = request;
      const key = { kind, period };
      if ((await findOpenDraft(transaction, deps.clock.now(), key)) === null) return refused('draft_closed');
      const draft = await readDraft({ aliases: [], ...deps }, transaction, key);
      if (draft.operations.length >= operationsMax) return refused('too_many_edits');
      const prepared: Prepared = await prepare(deps, transaction, draft, change);
      if (!prepared.ok) return prepared;
      const { operation, itemIds } = prepared.value;
      if (!(await holdItems(decisions, itemIds))) return refused('not_in_draft');
      const operationId = await insertOperation(transaction, key, prepared.value);
      const detail = {
        operation: operationId,
        ...('itemId' in operation ? { itemId: operation.itemId } : { language: operation.language }),
      };
      const added = stateOfDraft([{ id: operationId, ...prepared.value }]);
      return accepted({
        value: { operationId },
        detail,
        change: { before: stateOfDraft([]), after: added, itemIds },
      });
    });
}

/** Until the end of the transaction none of them is withdrawn; false if one is. */
async function holdItems(decisions: Decisions, itemIds: readonly Id<'item'>[]): Promise<boolean> {
  for (const itemId of itemIds.toSorted()) if (!(await decisions.inspectItem({ itemId })).ok) return false;
  return true;
}

function prepare(
  deps: DraftDeps,
  transaction: Transaction<DB>,
  draft: Draft,
  change: DraftChange,
): Promise<Prepared> | Prepared {
  if (change.op === 'rewrite') return prepareRewrite(deps, transaction, draft, change);
  if (change.op === 'note') return prepareNote(deps, transaction, draft, change);
  if (change.op === 'add') return prepareAddition(transaction, draft, change.itemId);
  const shown = [...draft.entries, ...draft.flashes];
  const item = shown.find(({ id }) => id === change.itemId);
  if (item === undefined) return refused('not_in_draft');
  if (change.op !== 'move') {
    const isNew = change.op === 'pin' && !includedItems(draft.operations).includes(item.id);
    return isNew && isFull(draft)
      ? refused('draft_full')
      : ofItem(item, { op: change.op, ...targetOf(item) });
  }
  const before = shown.find(({ id }) => id === change.beforeId) ?? null;
  if (change.beforeId !== null && before === null) return refused('not_in_draft');
  if (before === item) return refused('nothing_changed');
  return ofItem(item, { op: 'move', ...targetOf(item), before: before === null ? null : targetOf(before) });
}

async function prepareAddition(
  transaction: Transaction<DB>,
  draft: Draft,
  itemId: Id<'item'>,
): Promise<Prepared> {
  if ([...draft.entries, ...draft.flashes].some(({ id }) => id === itemId))
    return refused('already_in_draft');
  if (isFull(draft)) return refused('draft_full');
  const item = await findAddable(transaction, draft, itemId);
  return item === null ? refused('cannot_be_added') : ofItem(item, { op: 'add', ...targetOf(item) });
}

/** Editors cannot include more items than the edition has entries. */
function isFull({ key, operations }: Draft): boolean {
  return new Set(includedItems(operations)).size >= editionSizes[key.kind].entries;
}

function targetOf(item: EditionCandidate): OperationTarget {
  return { itemId: item.id, event: eventOf(item) };
}

function ofItem({ id, title }: EditionCandidate, operation: SavedOperation['operation']): Prepared {
  return accepted({ operation, words: { title }, itemIds: [id] });
}

/** The faults of text for a draft; empty if it is not open. */
function checkBy(deps: DraftDeps) {
  return async (
    { kind, period }: editions.EditionKey,
    change: Extract<DraftChange, { readonly op: 'rewrite' | 'note' }>,
  ): Promise<readonly string[]> => {
    const [key, { database }] = [{ kind, period }, deps];
    if ((await findOpenDraft(database, deps.clock.now(), key)) === null) return [];
    const draft = await readDraft({ aliases: [], ...deps }, database, key);
    if (change.op === 'note') return draftFindings(deps, database, draft, { body: change.note });
    const { headline, overview } = changedWords(draft, change);
    return draftFindings(deps, database, draft, { title: headline, body: overview });
  };
}

function undoBy(deps: DraftDeps, decide: Decide) {
  return ({ operationId, ...request }: DraftRequest & { readonly operationId: string }) =>
    decide(about('undo', request), async (transaction, decisions) => {
      const { kind, period } = request;
      const key = { kind, period };
      if ((await findOpenDraft(transaction, deps.clock.now(), key)) === null) return refused('draft_closed');
      const operations = await readOperations(transaction, key);
      const undone = operations.find(({ id }) => id === operationId);
      if (undone === undefined) return refused('already_undone');
      const isHeld = await holdItems(decisions, undone.itemIds);
      await insertUndo(transaction, key, operationId);
      const removed = stateOfDraft([isHeld ? undone : { ...undone, words: null }]);
      return accepted({
        value: 'undone' as const,
        detail: { operation: operationId },
        change: { before: removed, after: stateOfDraft([]), itemIds: isHeld ? undone.itemIds : [] },
      });
    });
}

const noChange = { before: stateOfDraft([]), after: stateOfDraft([]), itemIds: [] };

/** A private address shows the draft to everyone who has it, for an hour or until an editor ends it. */
function previewDecisions(deps: DraftDeps, decide: Decide) {
  return {
    previewDraft: (request: DraftRequest) =>
      decide(about('preview', request), async (transaction) => {
        const now = deps.clock.now();
        const { kind, period } = request;
        const key = { kind, period };
        if ((await findOpenDraft(transaction, now, key)) === null) return refused('draft_closed');
        const token = randomBytes(24).toString('base64url');
        const expiresAt = addMs(now, previewMs);
        await insertPreview(transaction, key, { token, now, expiresAt });
        const detail = { expiresAt: isoMilliseconds(expiresAt) };
        return accepted({ value: { token, expiresAt }, detail, change: noChange });
      }),
    endDraftPreviews: (request: DraftRequest) =>
      decide(about('end-previews', request), async (transaction) => {
        const { kind, period } = request;
        const count = await deletePreviews(transaction, { kind, period });
        return accepted({ value: { count }, detail: { count }, change: noChange });
      }),
  };
}
