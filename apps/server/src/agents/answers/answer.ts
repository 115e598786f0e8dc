import type { callers } from '../../access/index.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { accounts } from '../../identity/index.ts';
import type { Agent, AgentId } from '../agents/agent.ts';
import type { SourceDocument, SourceSearch } from './extract/index.ts';
import type { StoppedReason } from './model/write-answer.ts';

export type AnswerId = Id<'answer'>;

export const sourceKinds = ['item', 'story', 'edition', 'file', 'correction'] as const;
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
  /** Null: files are not read. */
  readonly actor: callers.OrganizationActor | null;
  readonly agent: Pick<Agent, 'readsPublicRecord' | 'readsFiles' | 'fileProjects'>;
}

/** Finds and reads sources in a scope. */
export interface AnswerSources {
  /** The time of the sources; in development it is simulated. */
  readonly now: () => EpochMicroseconds;
  /** Sources that contain one of the words, in any form, best first. */
  readonly find: (scope: SourceScope, search: SourceSearch) => Promise<readonly CitableSource[]>;
  /** Corrections and withdrawals since that time, newest first, in our own words in that language. */
  readonly findCorrections: (
    scope: SourceScope,
    watch: {
      readonly since: EpochMicroseconds;
      readonly language: ReaderLanguage;
      /** Gets what the record still shows: titles, digest, source and category. */
      readonly isAbout: (text: string) => boolean;
    },
  ) => Promise<readonly CitableSource[]>;
  /** As they are now; withdrawn, deleted and unreadable ones are missing. Of a file, the text near the quotations. */
  readonly read: (
    scope: SourceScope,
    references: readonly (SourceReference & { readonly file?: FilePlace })[],
  ) => Promise<readonly CitableSource[]>;
}

/** A sentence as stored: the source and the hash of the quoted sentence; never text of a file. */
export interface StoredSentence extends SourceReference {
  readonly hash: string;
  /** In the words of a model; null after they were removed because the source was withdrawn. */
  readonly text?: string | null;
  /** The hashes of further sentences of the source that the words of the model rest on. */
  readonly also?: readonly string[];
  readonly file?: FilePlace;
}

/**
 * How the language model of the agent took part. `wrote`: the answer is in its words; `silent`: it found no answer;
 * `stopped`: its citations supported none of its sentences; `missing`: its provider is not configured; `failed`, `slow`,
 * `busy`: it did not answer, or not in time, or too many answers are being written.
 */
export const modelOutcomes = ['wrote', 'silent', 'stopped', 'missing', 'failed', 'slow', 'busy'] as const;
export type ModelOutcome = (typeof modelOutcomes)[number];

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
  /** `extract`: every sentence is quoted from a source; `model`: the sentences are in the words of a model. */
  readonly by: 'extract' | 'model';
  /** Null if no model was asked. */
  readonly model: { readonly provider: string; readonly outcome: ModelOutcome } | null;
  /** Sentences of the model that were left out. */
  readonly stopped: readonly StoppedReason[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  /** Of the request, so that its repetition finds the answer. */
  readonly requestKey: string | null;
  /** The time of the sources when they were searched. */
  readonly asOf: EpochMicroseconds;
  readonly createdAt: EpochMicroseconds;
}

/**
 * The source was withdrawn or is not readable; its text changed; no source answers this part of the question; the
 * citation does not support the sentence of the model; the sentence of the model cites no passage.
 */
export const leftOutReasons = ['unavailable', 'changed', 'unanswered', 'unsupported', 'uncited'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export interface LeftOut {
  readonly reason: LeftOutReason;
  /** The part of the question, if it is unanswered. */
  readonly text: string | null;
  /** What the citation does not support. */
  readonly kinds: readonly string[];
}

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
  readonly leftOut: readonly LeftOut[];
  readonly sources: readonly CitableSource[];
  /** Pairs of places in `sentences`. */
  readonly contradictions: readonly (readonly [number, number])[];
}
