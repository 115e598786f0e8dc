import type { callers } from '../../access/index.ts';
import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { decisions } from '../../record/index.ts';

export type JournalAction =
  | 'select'
  | 'unselect'
  | 'correct'
  | 'withdraw'
  | 'accept'
  | 'reject'
  | 'hold'
  | 'release'
  | 'drop'
  | 'dismiss'
  | 'retitle'
  | 'merge'
  | 'split';

/** An item, an entry or a story by its id, an edition by its period. */
export interface JournalSubject {
  readonly kind: 'item' | 'entry' | 'story' | 'daily' | 'weekly' | 'monthly';
  readonly id: string;
}

/** A person, an operator at the command line, or a rule. */
export type JournalActor =
  | { readonly kind: 'person'; readonly accountId: callers.Caller['accountId'] }
  | { readonly kind: 'operator' }
  | { readonly kind: 'rule'; readonly rule: string };

/** Ids, numbers and values of fixed lists; no words. */
export type JournalDetail = Readonly<Record<string, JsonValue>>;

export interface JournalEntry {
  readonly id: string;
  readonly at: EpochMicroseconds;
  readonly action: JournalAction;
  readonly subject: JournalSubject;
  readonly actor:
    | { readonly kind: 'person'; readonly name: string | null }
    | { readonly kind: 'operator' }
    | { readonly kind: 'rule'; readonly rule: string };
  readonly detail: JournalDetail;
  /** Null if none was given, or if a withdrawal erased it. */
  readonly reason: string | null;
  readonly before: SubjectState | null;
  readonly after: SubjectState | null;
  /** Whether a withdrawal erased its words. */
  readonly isErased: boolean;
  readonly undoes: string | null;
  readonly undoneBy: string | null;
}

/** The part of a subject that editors change. */
export type SubjectState = ItemSubject | StorySubject;

type ItemSubject = { readonly kind: 'item' } & Pick<
  decisions.ItemState,
  'title' | 'summary' | 'category' | 'selected' | 'reason'
> & {
    /** Before a selection: the item that represents the reading group, with its reason. */
    readonly representative?: { readonly id: string; readonly reason: string | null };
  };

type StorySubject = { readonly kind: 'story' } & Pick<decisions.StoryState, 'title' | 'itemIds'>;

export function stateOfItem({
  title,
  summary,
  category,
  selected,
  reason,
}: decisions.ItemState): ItemSubject {
  return { kind: 'item', title, summary, category, selected, reason };
}

export function stateOfStory({ title, itemIds }: decisions.StoryState): StorySubject {
  return { kind: 'story', title, itemIds };
}

/** What a form was based on; equal versions mean equal words, category and selection. */
export function versionOf(state: Omit<ItemSubject, 'reason'> | StorySubject): string {
  if (state.kind === 'story') return sha256(canonicalJson(state)).slice(0, 16);
  const { kind, title, summary, category, selected } = state;
  return sha256(canonicalJson({ kind, title, summary, category, selected })).slice(0, 16);
}
