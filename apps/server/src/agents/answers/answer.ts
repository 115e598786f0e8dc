import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { AgentId } from '../agents/agent.ts';
import type { SourceDocument } from './extract/index.ts';

export type AnswerId = Id<'answer'>;

export const sourceKinds = ['item', 'story', 'edition'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export interface SourceReference {
  readonly kind: SourceKind;
  readonly id: string;
}

/** A source that the caller can read at this moment. */
export interface CitableSource extends SourceDocument {
  readonly kind: SourceKind;
  /** BCP 47; null where unknown. */
  readonly language: string | null;
  /** The page of the source. */
  readonly url: string;
  /** Its publisher; null for texts of Daybook. */
  readonly publisher: string | null;
}

/** Finds and reads sources; the caller may read all of them. */
export interface AnswerSources {
  /** The time of the sources; in development it is simulated. */
  readonly now: () => EpochMicroseconds;
  /** Sources that contain one of the words, best first. */
  readonly find: (words: readonly string[]) => Promise<readonly CitableSource[]>;
  /** Those that are published now; withdrawn ones are missing. */
  readonly read: (references: readonly SourceReference[]) => Promise<readonly CitableSource[]>;
}

/** A quoted sentence as stored: where it is, and its hash. */
export interface StoredSentence extends SourceReference {
  readonly hash: string;
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
