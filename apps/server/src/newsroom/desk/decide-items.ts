import type { Id } from '../../foundation/ids.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { markEntryWithdrawn } from '../../ingest/index.ts';
import { corrections } from '../../record/index.ts';
import type { RepresentativeDeps } from '../publication/group-representative.ts';
import { withdrawItem } from '../publication/group-representative.ts';
import type { ItemOverride } from '../publication/item-override-store.ts';
import { overrideSelection } from '../publication/item-override-store.ts';
import type { Decide, FormState } from './decide.ts';
import { deskActions } from './desk-actions.ts';

interface ItemRequest extends FormState {
  readonly itemId: Id<'item'>;
  readonly reason: string;
}

type Selection = ItemOverride['selection'];

interface SelectionRequest extends ItemRequest {
  /** Of an undo: who decided before the undone decision, about the item and about the one that it replaces. */
  readonly restores?: { readonly selection: Selection; readonly replaced?: Selection };
}

/** Decisions of editors about single items. */
export function itemDecisions(deps: RepresentativeDeps, decide: Decide) {
  return { ...selectionDecisions(decide), ...withdrawal(deps, decide) };
}

function selectionDecisions(decide: Decide) {
  const permission = deskActions.items.select;
  return {
    /** The item represents its reading group, with this public reason, and rules no longer replace it. */
    selectItem: ({ itemId, reason, restores, ...form }: SelectionRequest) =>
      decide(
        { action: 'select', subject: { kind: 'item', id: itemId }, permission, reason, ...form },
        async (transaction, decisions) => {
          if (!corrections.isReason(reason)) return refused('invalid_reason');
          const before = await decisions.inspectItem({ itemId });
          if (!before.ok) return before;
          const { selected, reason: former, otherRepresentative: other } = before.value;
          if (selected && former === reason) return refused('already_selected');
          const done = await decisions.selectItem({ itemId, reason });
          if (!done.ok) return done;
          const was = await overrideSelection(
            transaction,
            itemId,
            restores === undefined ? 'selected' : restores.selection,
          );
          if (other === null) return accepted({ value: done.value, detail: { was } });
          const wasOther = await overrideSelection(transaction, other.id, restores?.replaced ?? null);
          return accepted({ value: done.value, detail: { was, replaced: other.id, wasReplaced: wasOther } });
        },
      ),
    /** The item leaves the selection, and rules do not select it again. The reason is for editors. */
    unselectItem: ({ itemId, reason, restores, ...form }: SelectionRequest) =>
      decide(
        { action: 'unselect', subject: { kind: 'item', id: itemId }, permission, reason, ...form },
        async (transaction, decisions) => {
          if (!corrections.isReason(reason)) return refused('invalid_reason');
          const done = await decisions.unselectItem({ itemId });
          if (!done.ok) return done;
          if (done.value === 'unchanged') return refused('not_selected');
          const was = await overrideSelection(
            transaction,
            itemId,
            restores === undefined ? 'unselected' : restores.selection,
          );
          return accepted({ value: done.value, detail: { was } });
        },
      ),
  };
}

function withdrawal(deps: RepresentativeDeps, decide: Decide) {
  return {
    /** Erases the text of the entry as well; another item may represent its reading group. It cannot be undone. */
    withdrawItem: ({ itemId, reason, ...form }: ItemRequest) =>
      decide(
        {
          action: 'withdraw',
          subject: { kind: 'item', id: itemId },
          permission: deskActions.items.withdraw,
          reason,
          isErasure: true,
          ...form,
        },
        async (transaction, decisions) => {
          const withdrawn = await withdrawItem(deps, transaction, decisions, { itemId, reason });
          if (!withdrawn.ok) return withdrawn;
          await markEntryWithdrawn(transaction, itemId, deps.clock.now());
          return accepted({ value: withdrawn.value, detail: {} });
        },
      ),
  };
}
