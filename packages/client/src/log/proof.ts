import { canonicalJson } from './canonical-json.ts';
import type { VerifiedCheckpoint } from './checkpoint.ts';
import { verifyCheckpoint } from './checkpoint.ts';
import type { TreeHead } from './merkle.ts';
import { isConsistent, isIncluded, sha256 } from './merkle.ts';
import type { VerifierKey } from './signed-note.ts';
import { fromBase64, toHex } from './signed-note.ts';

/** An entry of a log: what changed, when, and the salted hash of the content after the change. */
export interface ProvenEntry {
  readonly version: number;
  readonly kind: string;
  readonly action: string;
  readonly id: string;
  readonly revision: number;
  readonly at: string;
  /** Null if the content was withdrawn. */
  readonly bodyHash: string | null;
}

/** What a server states about the newest entry of something that it published. */
export interface RecordProof {
  readonly entry: ProvenEntry;
  /** Null if it was withdrawn. */
  readonly body: unknown;
  /** 64 hexadecimal digits; null if it was withdrawn. */
  readonly salt: string | null;
  readonly leafIndex: number;
  /** Hashes in base64, from the leaf up. */
  readonly inclusion: readonly string[];
  /** A signed note. */
  readonly checkpoint: string;
  /** From the checkpoint that the reader named with `since`. */
  readonly consistency?: { readonly from: number; readonly hashes: readonly string[] };
}

export type ProofFault =
  | 'malformed'
  /** It proves an entry of something else. */
  | 'other_subject'
  /** No given key of the log signed the checkpoint. */
  | 'unsigned_checkpoint'
  /** The entry is not in the tree of the checkpoint. */
  | 'not_included'
  /** The content is not that of the entry. */
  | 'other_content'
  /** The log is not shown to continue the checkpoint that the reader knows. */
  | 'not_continued';

export type VerifiedProof =
  | {
      readonly ok: true;
      readonly entry: ProvenEntry;
      /**
       * `proven`: the content of the proof is that of the entry. `withdrawn`: the entry is a withdrawal. `erased`: the
       * server deleted the content since, because words of it were withdrawn or corrected.
       */
      readonly content: 'proven' | 'withdrawn' | 'erased';
      readonly signed: VerifiedCheckpoint;
    }
  | { readonly ok: false; readonly fault: ProofFault };

export interface ProofExpectations {
  readonly logKeys: readonly VerifierKey[];
  readonly witnessKeys?: readonly VerifierKey[];
  /** What must be proved; anything by default. */
  readonly subject?: Pick<ProvenEntry, 'kind' | 'id'>;
  /** A checkpoint that the reader saved: the proof must show that the log continues it. */
  readonly known?: TreeHead;
}

/** Checks a proof with nothing but the keys: the server that sent it is not trusted. */
export async function verifyProof(
  proof: RecordProof,
  { subject, known, ...keys }: ProofExpectations,
): Promise<VerifiedProof> {
  if (!isProof(proof)) return { ok: false, fault: 'malformed' };
  if (subject !== undefined && (proof.entry.kind !== subject.kind || proof.entry.id !== subject.id))
    return { ok: false, fault: 'other_subject' };
  const signed = await verifyCheckpoint(proof.checkpoint, keys);
  if (signed === null) return { ok: false, fault: 'unsigned_checkpoint' };
  const inclusion = proof.inclusion.map(fromBase64);
  if (inclusion.some((hash) => hash === null)) return { ok: false, fault: 'malformed' };
  const { entry, leafIndex: index } = proof;
  const leaf = new TextEncoder().encode(canonicalJson(entry));
  const { size, root } = signed.checkpoint;
  const claim = { index, size, leaf, proof: inclusion as Uint8Array[] };
  if (!(await isIncluded(claim, root))) return { ok: false, fault: 'not_included' };
  const content = await contentOf(proof);
  if (content === null) return { ok: false, fault: 'other_content' };
  if (!(await isContinued(proof, known, signed.checkpoint))) return { ok: false, fault: 'not_continued' };
  return { ok: true, entry, content, signed };
}

/** Whether the log has only grown since the reader's checkpoint, as the proof states. */
async function isContinued(
  { consistency }: RecordProof,
  known: TreeHead | undefined,
  now: TreeHead,
): Promise<boolean> {
  if (known === undefined) return true;
  const hashes = consistency?.from === known.size ? consistency.hashes.map(fromBase64) : [null];
  return !hashes.includes(null) && isConsistent(known, now, hashes as Uint8Array[]);
}

type Content = Extract<VerifiedProof, { readonly ok: true }>['content'];

async function contentOf({ entry, body, salt }: RecordProof): Promise<Content | null> {
  if (salt === null) return body !== null ? null : entry.bodyHash === null ? 'withdrawn' : 'erased';
  if (entry.bodyHash === null) return null;
  const bytes = Uint8Array.from(salt.match(/../gu) ?? [], (byte) => Number.parseInt(byte, 16));
  const hash = await sha256(bytes, new TextEncoder().encode(canonicalJson(body)));
  return toHex(hash) === entry.bodyHash ? 'proven' : null;
}

const inclusionMax = 64;

/** Proofs come from strangers. */
function isProof(value: RecordProof): boolean {
  if (typeof value !== 'object' || value === null || !isEntry(value.entry)) return false;
  const { salt, leafIndex, inclusion, checkpoint, consistency } = value;
  return (
    value.body !== undefined &&
    (salt === null || (typeof salt === 'string' && /^[\da-f]{64}$/u.test(salt))) &&
    Number.isSafeInteger(leafIndex) &&
    Array.isArray(inclusion) &&
    inclusion.length <= inclusionMax &&
    inclusion.every((hash) => typeof hash === 'string') &&
    typeof checkpoint === 'string' &&
    (consistency === undefined || isConsistency(consistency))
  );
}

function isConsistency(value: unknown): boolean {
  const { from, hashes } = (value ?? {}) as Record<string, unknown>;
  return (
    Number.isSafeInteger(from) &&
    Array.isArray(hashes) &&
    hashes.length <= inclusionMax &&
    hashes.every((hash) => typeof hash === 'string')
  );
}

function isEntry(entry: unknown): entry is ProvenEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { version, kind, action, id, revision, at, bodyHash } = entry as Record<string, unknown>;
  return (
    version === 1 &&
    [kind, action, id, at].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(revision) &&
    (bodyHash === null || typeof bodyHash === 'string')
  );
}

/**
 * Names of fields whose served value is not the proven one. Fields that only one of them has are not compared: a server
 * adds addresses and texts in the reader's language.
 */
export function differingFields(body: unknown, served: unknown): readonly string[] {
  if (!isObject(body) || !isObject(served)) return canonicalJson(body) === canonicalJson(served) ? [] : [''];
  return Object.keys(body)
    .filter((name) => name in served)
    .flatMap((name) => {
      const [one, other] = [body[name], served[name]];
      if (!isObject(one) || !isObject(other))
        return canonicalJson(one) === canonicalJson(other) ? [] : [name];
      return differingFields(one, other).map((inner) => `${name}.${inner}`);
    });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
