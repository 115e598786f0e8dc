import type { callers } from '../../access/index.ts';
import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Source } from '../../ingest/index.ts';
import type { decisions } from '../../record/index.ts';
import type { OperationName, SavedOperation } from '../editions/edition-operation.ts';
import type { EntryWords } from '../publication/entry-edit-store.ts';

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
  /** The words of an entry that is not published. */
  | 'edit-entry'
  | 'dismiss'
  /** An undone decision about the queue: the entry is in the queue again. */
  | 'reopen'
  | 'retitle'
  | 'rewrite-digest'
  | 'merge'
  | 'split'
  | `draft-${OperationName | 'undo' | 'preview' | 'end-previews'}`
  | 'pause'
  | 'resume'
  | 'change-tier'
  | 'change-holds'
  | 'change-owner'
  | 'add-source'
  /** An operation on a draft no longer applied when the edition was compiled. */
  | 'fall-back';

/** An item, an entry, a story, a source or a report of a reader by its id, an edition by its period. */
export interface JournalSubject {
  readonly kind: 'item' | 'entry' | 'story' | 'source' | 'report' | 'daily' | 'weekly' | 'monthly';
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
  /** The request that undid it. */
  readonly undoneByRequest: string | null;
}

/** The part of a subject that editors change. */
export type SubjectState = ItemSubject | StorySubject | DraftState | SourceState | EntryState | ReportState;

/** An error that a reader reported. The journal stores no words of readers. */
export type ReportState = {
  readonly kind: 'report';
  /** The page that it is about; may be empty. */
  readonly title: string;
  readonly isClosed: boolean;
};

/** An entry as far as publication depends on people. */
export type EntryState = {
  readonly kind: 'entry';
  readonly title: string;
  readonly isPublished: boolean;
  /** Why it is not published; null if it waits for publication. */
  readonly outcome: 'declined' | 'held' | 'failed' | null;
  readonly reason: string | null;
  /** When the outcome was recorded. ISO 8601. */
  readonly since: string | null;
  readonly hold: 'held' | 'dropped' | null;
  /** The end of an embargo. ISO 8601. */
  readonly until: string | null;
  readonly review: 'open' | 'accepted' | 'rejected' | null;
  /** Of an editor, for its publication. */
  readonly words: EntryWords | null;
};

export type SourceState = {
  readonly kind: 'source';
  /** Its name. */
  readonly title: string;
} & Pick<Source, 'state' | 'tier' | 'holds'> &
  /** Absent in older entries. */
  Partial<Pick<Source, 'owner' | 'syndicate'>>;

/** What editors did to the draft of an edition so far. */
export type DraftState = {
  readonly kind: 'draft';
  readonly edits: readonly {
    readonly id: string;
    readonly op: OperationName;
    readonly language?: ReaderLanguage;
    readonly words: readonly string[];
  }[];
};

export function stateOfDraft(operations: readonly SavedOperation[]): DraftState {
  return {
    kind: 'draft',
    edits: operations.map(({ id, operation, words }) => ({
      id,
      op: operation.op,
      ...('language' in operation && { language: operation.language }),
      words: Object.values(words ?? {}).filter((text) => text !== undefined),
    })),
  };
}

type ItemSubject = { readonly kind: 'item' } & Pick<
  decisions.ItemState,
  'title' | 'summary' | 'category' | 'selected' | 'reason'
> & {
    /** Before a selection: the item that represents the reading group, with its reason. */
    readonly representative?: { readonly id: string; readonly reason: string | null };
    /** Of a correction that changed the title of the story, or deleted its digests. */
    readonly story?: { readonly id: string; readonly title: string; readonly digests?: SplitDigests };
  };

export type DigestSentences = readonly { readonly text: string; readonly cites: readonly Id<'item'>[] }[];

export type SplitDigests = Pick<decisions.StoryState, 'digest' | 'otherDigest' | 'byEditor'>;

export type StorySubject = { readonly kind: 'story' } & Pick<decisions.StoryState, 'title' | 'itemIds'> & {
    /** After a split: the new story. */
    readonly opened?: { readonly id: string; readonly title: string; readonly itemIds: readonly string[] };
    /** Before a split that deletes the digests, because one of them cites an item that moves: these digests. */
    readonly split?: SplitDigests;
    /** Before a merge: what it changes beside the items. */
    readonly merge?: decisions.BeforeMerge;
    /** Of a decision about the digest: its sentences in that language, null without one. */
    readonly digests?: Partial<Readonly<Record<ReaderLanguage, DigestSentences | null>>>;
  };

export function stateOfItem({
  title,
  summary,
  category,
  selected,
  reason,
}: Pick<decisions.ItemState, 'title' | 'summary' | 'category' | 'selected' | 'reason'>): ItemSubject {
  return { kind: 'item', title, summary, category, selected, reason };
}

export function stateOfStory({
  title,
  itemIds,
}: Pick<decisions.StoryState, 'title' | 'itemIds'>): StorySubject {
  return { kind: 'story', title, itemIds };
}

/** What a form was based on; equal versions mean equal words, category and selection. */
export function versionOf(
  state: Omit<ItemSubject, 'reason'> | Exclude<SubjectState, { readonly kind: 'item' }>,
): string {
  return sha256(canonicalJson(compared(state))).slice(0, 16);
}

function compared(state: Parameters<typeof versionOf>[0]): JsonValue {
  // The ids of the operations on a draft: their words are erased by a withdrawal, which is no edit.
  if (state.kind === 'draft') return state.edits.map(({ id }) => id);
  if (state.kind === 'story') {
    const { kind, title, itemIds, digests } = state;
    return digests === undefined ? { kind, title, itemIds } : { kind, digests };
  }
  if (state.kind !== 'item') return state;
  const { kind, title, summary, category, selected } = state;
  return { kind, title, summary, category, selected };
}
