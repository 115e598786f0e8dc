import type { callers } from '../../access/index.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { Agent, AgentId } from '../agents/agent.ts';
import type { SourceDocument } from './extract/index.ts';

export type AnswerId = Id<'answer'>;

export const sourceKinds = ['item', 'story', 'edition', 'file'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export interface SourceReference {
  readonly kind: SourceKind;
  readonly id: string;
}

/** The place of a quotation in the text of a version of a file. */
export interface FilePlace {
  readonly version: number;
  readonly start: number;
  readonly end: number;
}

/** A source that the caller can read at this moment. */
export interface CitableSource extends SourceDocument {
  readonly kind: SourceKind;
  /** BCP 47; null where unknown. */
  readonly language: string | null;
  /** The page of the source. */
  readonly url: string;
  /** Its publisher; null for texts of Daybook and files. */
  readonly publisher: string | null;
  /** Of a file only: where `text` begins in the text of the version. */
  readonly textStart?: number;
}

/** Limits the sources to those that the caller can read at this moment and that the agent searches. */
export interface SourceScope {
  readonly actor: callers.OrganizationActor;
  readonly agent: Pick<Agent, 'readsPublicRecord' | 'readsFiles' | 'fileProjects'>;
}

/** Finds and reads sources in a scope. */
export interface AnswerSources {
  /** The time of the sources; in development it is simulated. */
  readonly now: () => EpochMicroseconds;
  /** Sources that contain one of the words, best first. */
  readonly find: (scope: SourceScope, words: readonly string[]) => Promise<readonly CitableSource[]>;
  /** As they are now; withdrawn, deleted and unreadable ones are missing. Of a file, the text near the quotations. */
  readonly read: (
    scope: SourceScope,
    references: readonly (SourceReference & { readonly file?: FilePlace })[],
  ) => Promise<readonly CitableSource[]>;
}

/** A quoted sentence as stored: where it is, and its hash. */
export interface StoredSentence extends SourceReference {
  readonly hash: string;
  readonly file?: FilePlace;
}

/** An answer as stored: without the text of any source. */
export interface StoredAnswer {
  readonly id: AnswerId;
  readonly agentId: AgentId;
  readonly accountId: accounts.AccountId;
  /** The answer before it in the same conversation. */
  readonly follows: AnswerId | null;
  readonly question: string;
  readonly sentences: readonly StoredSentence[];
  /** Pairs of places of sentences. */
  readonly contradictions: readonly (readonly [number, number])[];
  /** Parts of the question that no source answers. */
  readonly unanswered: readonly string[];
  /** The time of the sources when they were searched. */
  readonly asOf: EpochMicroseconds;
  readonly createdAt: EpochMicroseconds;
}

/** The source was withdrawn or is not readable; its text changed; no source answers this part of the question. */
export type LeftOutReason = 'unavailable' | 'changed' | 'unanswered';

export interface Quotation extends SourceReference {
  readonly quote: string;
  /** Of a file: the version that was quoted. */
  readonly version: number | null;
  /** Offsets in the title, a line feed and the text of the source. */
  readonly start: number;
  readonly end: number;
}

/** An answer with the quotations of this moment. */
export interface ReadAnswer {
  readonly answer: StoredAnswer;
  readonly sentences: readonly {
    readonly text: string;
    readonly language: string | null;
    readonly cites: readonly Quotation[];
  }[];
  readonly leftOut: readonly { readonly reason: LeftOutReason; readonly text: string | null }[];
  readonly sources: readonly CitableSource[];
  /** Pairs of places in `sentences`. */
  readonly contradictions: readonly (readonly [number, number])[];
}
