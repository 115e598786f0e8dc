import type { ByteSpan, ChunkPart } from '../chunks/chunk.ts';
import type { NoteBasis } from '../classify/classification.ts';
import type { RuleDestination } from '../commit/rule-destination.ts';
import type { Target } from '../targets/target.ts';

export type ChunkState = 'scanned' | 'approved' | 'modified' | 'rejected' | 'unclear' | 'committed';

/** The user's answers about a chunk, so that the commit does not repeat the questions. */
export interface Consent {
  readonly identity?: true;
  readonly duplicate?: true;
  /** May take the place of its earlier version. */
  readonly replace?: true;
  readonly dimension?: true;
  /** The scanned text may be committed although its note was edited or deleted since. */
  readonly source?: true;
  readonly rule?: RuleDestination;
  /** The user has seen that it contains what looks like a secret. */
  readonly secret?: true;
}

export interface QueuedChunk {
  readonly ordinal: number;
  readonly id: string;
  readonly source: string;
  readonly kind: string;
  readonly part: ChunkPart;
  readonly headings: readonly string[];
  readonly spans: readonly ByteSpan[];
  readonly text: string;
  readonly tags: readonly string[];
  readonly proposed: Target;
  readonly confidence: number;
  readonly reasons: readonly string[];
  readonly alternatives: readonly { readonly target: Target; readonly confidence: number }[];
  readonly state: ChunkState;
  /** Where the person sent it instead. */
  readonly chosen: Target | null;
  readonly consent: Consent;
  /** The committed chunk that this is a newer version of. */
  readonly replaces: string | null;
  /** Of a whole note the kind of evidence for the proposal. */
  readonly basis: NoteBasis | null;
}

/** Where the chunk goes if it is committed now. */
export function destinationOf(chunk: Pick<QueuedChunk, 'chosen' | 'proposed'>): Target {
  return chunk.chosen ?? chunk.proposed;
}

export type Trust = 'trusted' | 'medium' | 'low';

export const trustedFrom = 0.7;
export const mediumFrom = 0.4;

export function trustOf(confidence: number): Trust {
  if (confidence >= trustedFrom) return 'trusted';
  return confidence >= mediumFrom ? 'medium' : 'low';
}
