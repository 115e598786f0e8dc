import { verifyCheckpoint } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';
import { equalBytes, isConsistent } from './merkle.ts';
import type { VerifierKey } from './signed-note.ts';
import { fromBase64, toBase64 } from './signed-note.ts';
import type { TileTree } from './tiles.ts';

/**
 * Two signed checkpoints of one log that cannot both be true. Anyone with a key of the log can verify it, without the
 * log and without trust in the reporter.
 */
export interface ForkEvidence {
  readonly kind: 'daybook-log-fork/v1';
  readonly origin: string;
  /** The smaller one. A signed note, as the other. */
  readonly first: string;
  readonly second: string;
  /**
   * The root of the second log at the size of the first, with the proof that the second contains it; null if both have
   * one size and therefore need none.
   */
  readonly prefix: { readonly root: string; readonly proof: readonly string[] } | null;
}

interface SignedCheckpoint {
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

export type Comparison =
  | { readonly outcome: 'consistent' }
  | { readonly outcome: 'fork'; readonly evidence: ForkEvidence };

export function forkOfOneSize(first: string, second: string, origin: string): ForkEvidence {
  return { kind: 'daybook-log-fork/v1', origin, first, second, prefix: null };
}

/** Compares two checkpoints of one log. `tree` is that of the larger one, authenticated by its root. */
export async function compareCheckpoints(
  one: SignedCheckpoint,
  other: SignedCheckpoint,
  tree: TileTree,
): Promise<Comparison> {
  const [first, second] = one.checkpoint.size <= other.checkpoint.size ? [one, other] : [other, one];
  const { origin, size, root } = first.checkpoint;
  const evidence = forkOfOneSize(first.note, second.note, origin);
  if (size === second.checkpoint.size)
    return equalBytes(root, second.checkpoint.root)
      ? { outcome: 'consistent' }
      : { outcome: 'fork', evidence };
  const prefixRoot = await tree.root(size);
  if (equalBytes(prefixRoot, root)) return { outcome: 'consistent' };
  const proof = await tree.consistencyProof(size, second.checkpoint.size);
  const prefix = { root: toBase64(prefixRoot), proof: proof.map(toBase64) };
  return { outcome: 'fork', evidence: { ...evidence, prefix } };
}

const proofMax = 64;

/** Whether a log whose key one of these is signed both checkpoints, and they contradict each other. */
export async function verifyForkEvidence(
  evidence: ForkEvidence,
  { logKeys }: { readonly logKeys: readonly VerifierKey[] },
): Promise<boolean> {
  if (!isEvidence(evidence)) return false;
  const [first, second] = [
    await verifyCheckpoint(evidence.first, { logKeys }),
    await verifyCheckpoint(evidence.second, { logKeys }),
  ];
  if (first === null || second === null) return false;
  const [one, other] = [first.checkpoint, second.checkpoint];
  if (one.origin !== other.origin || one.origin !== evidence.origin || one.size > other.size) return false;
  if (one.size === other.size) return !equalBytes(one.root, other.root);
  if (one.size === 0 || evidence.prefix === null) return false;
  const root = fromBase64(evidence.prefix.root);
  const proof = evidence.prefix.proof.map(fromBase64);
  if (root === null || proof.includes(null) || equalBytes(root, one.root)) return false;
  return isConsistent({ size: one.size, root }, other, proof as Uint8Array[]);
}

/** Evidence comes from strangers. */
export function isEvidence(value: unknown): value is ForkEvidence {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, origin, first, second, prefix } = value as Record<string, unknown>;
  if (kind !== 'daybook-log-fork/v1') return false;
  if (![origin, first, second].every((text) => typeof text === 'string')) return false;
  if (prefix === null) return true;
  const { root, proof } = (prefix ?? {}) as Record<string, unknown>;
  return (
    typeof root === 'string' &&
    Array.isArray(proof) &&
    proof.length <= proofMax &&
    proof.every((hash) => typeof hash === 'string')
  );
}
