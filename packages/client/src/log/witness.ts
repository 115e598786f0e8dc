import type { Checkpoint } from './checkpoint.ts';
import { parseCheckpoint, verifyCheckpoint } from './checkpoint.ts';
import type { ForkEvidence } from './fork.ts';
import { forkOfOneSize } from './fork.ts';
import { emptyRoot, equalBytes, isConsistent } from './merkle.ts';
import type { VerifierKey } from './signed-note.ts';
import { fromBase64, parseNote } from './signed-note.ts';
import type { NoteSignature } from './signing.ts';
import { signatureLine } from './signing.ts';

/** What a witness remembers: the newest checkpoint of each log. It must survive a crash of the machine. */
export interface WitnessStore {
  /** A signed note; null before the first. */
  readonly read: (origin: string) => Promise<string | null>;
  /** Resolves when the note is on the disk. */
  readonly write: (origin: string, note: string) => Promise<void>;
  readonly writeFork: (evidence: ForkEvidence) => Promise<void>;
}

export interface WitnessDeps {
  /** Of the logs that it follows, by the name in the key. */
  readonly logKeys: readonly VerifierKey[];
  readonly store: WitnessStore;
  /** Signs the text of a checkpoint with the present time. */
  readonly cosign: (text: string) => Promise<NoteSignature>;
}

/** An answer of C2SP tlog-witness. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly contentType: string;
  readonly body: string;
}

/** Cosigns a checkpoint only if it continues the one that it cosigned before (C2SP tlog-witness). */
export interface Witness {
  readonly addCheckpoint: (request: string) => Promise<WitnessAnswer>;
}

export function createWitness(deps: WitnessDeps): Witness {
  const queues = new Map<string, Promise<unknown>>();
  return {
    addCheckpoint: async (request) => {
      const parsed = parseRequest(request);
      if (parsed === null) return refusal(400, 'the request is not one of tlog-witness');
      const { origin } = parsed.checkpoint;
      const logKeys = deps.logKeys.filter(({ name }) => name === origin);
      if (logKeys.length === 0) return refusal(404, 'this witness does not follow the log');
      if ((await verifyCheckpoint(parsed.note, { logKeys })) === null)
        return refusal(403, 'no known key of the log signed the checkpoint');
      if (parsed.old > parsed.checkpoint.size) return refusal(400, 'the old size is larger than the new one');
      // Two requests for one log must not both compare with the same stored checkpoint.
      const turn = (queues.get(origin) ?? Promise.resolve()).then(() => decide(deps, parsed));
      queues.set(
        origin,
        turn.catch(() => {}),
      );
      return turn;
    },
  };
}

interface Request {
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly note: string;
  /** The text under the signatures. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
}

const proofMax = 63;

function parseRequest(request: string): Request | null {
  const end = request.indexOf('\n\n');
  if (end === -1) return null;
  const [first = '', ...lines] = request.slice(0, end).split('\n');
  const [, old] = /^old (0|[1-9]\d{0,15})$/u.exec(first) ?? [];
  const proof = lines.map(fromBase64);
  const note = request.slice(end + 2);
  const text = parseNote(note)?.text;
  const checkpoint = text === undefined ? null : parseCheckpoint(text);
  if (old === undefined || proof.length > proofMax || proof.includes(null)) return null;
  if (text === undefined || checkpoint === null) return null;
  return { old: Number(old), proof: proof as Uint8Array[], note, text, checkpoint };
}

async function decide({ store, cosign }: WitnessDeps, request: Request): Promise<WitnessAnswer> {
  const { checkpoint, note, text, proof } = request;
  const known = await readKnown(store, checkpoint.origin);
  if (request.old !== known.size) return conflict(known.size);
  if (checkpoint.size === known.size && !equalBytes(checkpoint.root, known.root)) {
    if (known.note !== null) await store.writeFork(forkOfOneSize(known.note, note, checkpoint.origin));
    return conflict(known.size);
  }
  if (!(await isConsistent(known, checkpoint, proof)))
    return refusal(422, 'the proof does not show that the log continues the checkpoint cosigned before');
  await store.write(checkpoint.origin, note);
  return { status: 200, contentType: 'text/plain; charset=utf-8', body: signatureLine(await cosign(text)) };
}

async function readKnown(store: WitnessStore, origin: string) {
  const note = await store.read(origin);
  if (note === null) return { note, size: 0, root: await emptyRoot() };
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === null) throw new Error(`the stored checkpoint of ${origin} is damaged`);
  return { ...checkpoint, note };
}

function conflict(size: number): WitnessAnswer {
  return { status: 409, contentType: 'text/x.tlog.size', body: `${size}\n` };
}

function refusal(status: WitnessAnswer['status'], reason: string): WitnessAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${reason}\n` };
}

/** What a log sends to a witness. */
export function writeWitnessRequest({
  old,
  proof,
  note,
}: {
  readonly old: number;
  /** In base64. */
  readonly proof: readonly string[];
  readonly note: string;
}): string {
  return `${[`old ${old}`, ...proof].join('\n')}\n\n${note}`;
}
