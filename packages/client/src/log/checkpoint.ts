import type { Hash, TreeHead } from './merkle.ts';
import { hashBytes } from './merkle.ts';
import type { SignedNote, VerifierKey } from './signed-note.ts';
import { fromBase64, parseNote, verifyNote } from './signed-note.ts';

/** The size and root of a log at a time (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** The name of the log: its address without a scheme. */
  readonly origin: string;
  readonly root: Hash;
}

/** Null if the text is not a checkpoint. Lines after the root are extensions and are ignored. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', encoded = ''] = text.split('\n');
  const root = fromBase64(encoded);
  if (origin === '' || !/^(?:0|[1-9]\d{0,15})$/u.test(size) || root?.length !== hashBytes) return null;
  return Number.isSafeInteger(Number(size)) ? { origin, size: Number(size), root } : null;
}

/** A signed checkpoint of a log, and the witnesses whose signatures are valid. */
export interface VerifiedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: SignedNote;
  /** The note as text. */
  readonly raw: string;
  /** In the order of the given keys, each with the time in seconds at which it signed. */
  readonly witnesses: readonly { readonly name: string; readonly seconds: number }[];
}

/** Null unless one of the log's keys signed the note and the checkpoint is of the log that the key names. */
export async function verifyCheckpoint(
  note: string,
  {
    logKeys,
    witnessKeys = [],
  }: { readonly logKeys: readonly VerifierKey[]; readonly witnessKeys?: readonly VerifierKey[] },
): Promise<VerifiedCheckpoint | null> {
  const parsed = parseNote(note);
  const checkpoint = parsed === null ? null : parseCheckpoint(parsed.text);
  if (parsed === null || checkpoint === null) return null;
  const signed = await Promise.all(
    logKeys.map(async (key) => key.name === checkpoint.origin && (await verifyNote(parsed, key)) !== null),
  );
  if (!signed.includes(true)) return null;
  const times = await Promise.all(
    witnessKeys.map(async (key) => ({ name: key.name, seconds: await verifyNote(parsed, key) })),
  );
  const witnesses = times.flatMap(({ name, seconds }) => (seconds === null ? [] : [{ name, seconds }]));
  return { checkpoint, note: parsed, raw: note, witnesses };
}
