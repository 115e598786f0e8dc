import type { TreeHead } from './merkle.ts';
import { hashBytes } from './merkle.ts';
import type { VerifierKey } from './signed-note.ts';
import { fromBase64, parseNote, parseVerifierKey, toBase64, verifyNote } from './signed-note.ts';

/**
 * States that a log ended in a restore and continues under another name: from its first leaves, without those that were
 * lost. Signed by the keys of both.
 */
export interface EpochStatement {
  /** The log that ended, and the leaves that the next one begins with. */
  readonly from: TreeHead & { readonly origin: string };
  readonly to: VerifierKey;
  /** The same as text. */
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
}

/** No checkpoint begins with it: what a key signs here is never a checkpoint, and the reverse. */
const heading = 'daybook log epoch/v1';

export function writeEpochStatement({
  from,
  to,
  at,
}: Omit<EpochStatement, 'to' | 'key'> & { readonly to: string }): string {
  return `${[heading, from.origin, from.size, toBase64(from.root), to, at].join('\n')}\n`;
}

/** Null unless a given key of the log that ended signed it, and the key of the next log as well. */
export async function verifyEpochStatement(
  note: string,
  { logKeys }: { readonly logKeys: readonly VerifierKey[] },
): Promise<EpochStatement | null> {
  const parsed = parseNote(note);
  if (parsed === null) return null;
  const [first, origin = '', size = '', root = '', key = '', at = '', ...rest] = parsed.text.split('\n');
  const to = await parseVerifierKey(key);
  const rootBytes = fromBase64(root);
  const isForm = first === heading && rest.length === 1 && /^(?:0|[1-9]\d{0,15})$/u.test(size);
  if (!isForm || to === null || to.kind !== 'log' || to.name === origin || rootBytes?.length !== hashBytes)
    return null;
  const signed = await Promise.all(
    logKeys.map(async (one) => one.name === origin && (await verifyNote(parsed, one)) !== null),
  );
  if (!signed.includes(true) || (await verifyNote(parsed, to)) === null) return null;
  return { from: { origin, size: Number(size), root: rootBytes }, to, key, at };
}
