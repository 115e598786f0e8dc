import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { EditionCandidate } from './choose-entries.ts';

/** An item of a draft. A later composition may show its story by another item. */
export interface OperationTarget {
  readonly itemId: Id<'item'>;
  /** Its story, or its reading group, when the operation was saved. */
  readonly event: string;
}

/**
 * What an editor did to the draft of an edition. `drop` removes a story, `add` includes an item as an entry, `pin` does
 * so before all others, `move` places it before another one or at the end, `rewrite` replaces headline or overview in
 * one language, `note` adds a note of the editors in one language.
 */
export type EditionOperation =
  | (OperationTarget & { readonly op: 'drop' | 'add' | 'pin' })
  | (OperationTarget & { readonly op: 'move'; readonly before: OperationTarget | null })
  | { readonly op: 'rewrite' | 'note'; readonly language: ReaderLanguage };

export type OperationName = EditionOperation['op'];

/** The words of an operation: the title of its item, or the typed text. */
export interface OperationWords {
  readonly title?: string;
  readonly headline?: string;
  readonly overview?: string;
  readonly note?: string;
  /** Why the text is published although the sources do not support it. */
  readonly unverified?: string;
}

/** An operation that was not undone. */
export interface SavedOperation {
  readonly id: string;
  readonly operation: EditionOperation;
  /** Null if an item that they are about was withdrawn. */
  readonly words: OperationWords | null;
  /** The items that the words are about. */
  readonly itemIds: readonly Id<'item'>[];
}

/** An operation that a composition could not apply: the rules decide instead. */
export interface UnappliedOperation {
  readonly operation: SavedOperation;
  readonly cause:
    | 'item_not_available'
    | 'not_in_edition'
    | 'empty_edition'
    | 'words_erased'
    | 'no_text_in_language';
}

/** Operations name items by the story, which is shown once. */
export function eventOf({ storyId, groupId }: Pick<EditionCandidate, 'storyId' | 'groupId'>): string {
  return storyId ?? groupId;
}

export function isOfItem(
  operation: EditionOperation,
): operation is Extract<EditionOperation, OperationTarget> {
  return 'itemId' in operation;
}

/** The items that these operations include, whatever the rules would choose. */
export function includedItems(operations: readonly SavedOperation[]): readonly Id<'item'>[] {
  return operations.flatMap(({ operation }) =>
    operation.op === 'add' || operation.op === 'pin' ? [operation.itemId] : [],
  );
}
