import type { VerifiedCheckpoint } from './checkpoint.ts';
import { verifyCheckpoint } from './checkpoint.ts';
import type { EpochStatement } from './epoch.ts';
import { verifyEpochStatement } from './epoch.ts';
import type { ForkEvidence } from './fork.ts';
import { compareCheckpoints, forkOfOneSize } from './fork.ts';
import type { LogEpoch, LogServer, LogSource } from './log-source.ts';
import { fetchLogEpochs, fetchLogKeys, httpLog, LogFileError } from './log-source.ts';
import { equalBytes } from './merkle.ts';
import type { VerifierKey } from './signed-note.ts';
import { parseVerifierKey } from './signed-note.ts';
import { TileError } from './tiles.ts';
import { VerifiedTree } from './verified-tree.ts';

export { httpLog } from './log-source.ts';
export type { LogServer, LogSource } from './log-source.ts';

/** What a reader remembers of a log between two visits. It is all that a reader has to save. */
export interface LogView {
  /** The keys that the reader trusts, as text. */
  readonly keys: readonly string[];
  /** The newest checkpoint that the reader saw, a signed note. */
  readonly checkpoint: string;
}

/** A log that continues what the reader knew, with its newest checkpoint. */
export interface CurrentLog {
  readonly view: LogView;
  readonly signed: VerifiedCheckpoint;
  readonly tree: VerifiedTree;
  readonly source: LogSource;
  /** Set if the log continued under another name since the last visit. */
  readonly renamed: RenamedLog | null;
}

export interface RenamedLog {
  readonly from: string;
  readonly to: string;
  readonly at: string;
  /** Known entries of the former log that the new one does not have: they were lost in a restore. */
  readonly lost: { readonly first: number; readonly count: number } | null;
}

export type LogFault =
  /** None of the trusted keys signed the checkpoint. */
  | 'unsigned_checkpoint'
  /** The server has no log of the known name, and no statement that it continues. */
  | 'other_log'
  /** No trusted key signed the statement of a new epoch, or the log does not begin as it says. */
  | 'wrong_epoch'
  /** The server returned an earlier checkpoint than the known one. */
  | 'older_checkpoint'
  /** The server does not serve the tree of its checkpoint. */
  | 'wrong_tiles';

export type LogVisit =
  | ({ readonly outcome: 'current' } & CurrentLog)
  | { readonly outcome: 'fork'; readonly evidence: ForkEvidence }
  | { readonly outcome: 'fault'; readonly fault: LogFault; readonly checkpoint: string | null };

export interface VisitOptions {
  /** Of the last visit; null on the first. */
  readonly view: LogView | null;
  /** Trusted besides those of the view. On a first visit without any, those that the server states. */
  readonly keys?: readonly string[];
  /** A checkpoint that the server sent with a proof; by default the newest one. */
  readonly checkpoint?: string;
}

/** Reads the newest checkpoint of a server and compares it with what the reader knew. Throws if the server fails. */
export async function visitLog(server: LogServer, options: VisitOptions): Promise<LogVisit> {
  const { view } = options;
  const given = [...(view?.keys ?? []), ...(options.keys ?? [])];
  const trusted = given.length > 0 ? given : await fetchLogKeys(server);
  const epochs = await fetchLogEpochs(server);
  if (view === null) return firstVisit(server, trusted, { epochs, checkpoint: options.checkpoint });
  const [origin = ''] = view.checkpoint.split('\n');
  const known = await verifyCheckpoint(view.checkpoint, { logKeys: await parseKeys(trusted) });
  if (known === null) return fault('unsigned_checkpoint', view.checkpoint);
  const at = epochs.findIndex((epoch) => epoch.origin === origin);
  if (at === -1) return fault('other_log', null);
  const later = await followEpochs(epochs.slice(at + 1), trusted);
  if (later === null) return fault('wrong_epoch', null);
  const keys = [...new Set([...trusted, ...later.keys])];
  const epoch = epochs.at(-1) as LogEpoch;
  const read = await readCheckpoint(httpLog(server, epoch.path), keys, options.checkpoint);
  if (read.outcome === 'fault') return read;
  return later.statements.length === 0
    ? compare(read, known, keys)
    : compareEpochs(read, known, { keys, statements: later.statements });
}

const fault = (kind: LogFault, checkpoint: string | null): LogVisit & { outcome: 'fault' } => ({
  outcome: 'fault',
  fault: kind,
  checkpoint,
});

/** Lines that are not keys are ignored. */
export async function parseKeys(keys: readonly string[]): Promise<readonly VerifierKey[]> {
  return (await Promise.all(keys.map(parseVerifierKey))).filter((key) => key !== null);
}

async function firstVisit(
  server: LogServer,
  keys: readonly string[],
  { epochs, checkpoint }: { readonly epochs: readonly LogEpoch[]; readonly checkpoint: string | undefined },
): Promise<LogVisit> {
  const path = epochs.at(-1)?.path ?? '/log';
  const read = await readCheckpoint(httpLog(server, path), keys, checkpoint);
  return read.outcome === 'fault' ? read : current(read, keys, null);
}

type ReadCheckpoint = { readonly outcome: 'read'; readonly note: string } & Pick<
  CurrentLog,
  'signed' | 'source'
>;

async function readCheckpoint(
  source: LogSource,
  keys: readonly string[],
  given: string | undefined,
): Promise<ReadCheckpoint | (LogVisit & { outcome: 'fault' })> {
  const note = given ?? (await source.checkpoint());
  const signed = await verifyCheckpoint(note, { logKeys: await parseKeys(keys) });
  return signed === null ? fault('unsigned_checkpoint', note) : { outcome: 'read', note, signed, source };
}

async function current(
  { note, signed, source }: ReadCheckpoint,
  keys: readonly string[],
  renamed: RenamedLog | null,
): Promise<LogVisit> {
  try {
    const tree = await VerifiedTree.open(signed.checkpoint, source.tile);
    return { outcome: 'current', view: { keys, checkpoint: note }, signed, tree, source, renamed };
  } catch (error) {
    if (isMissing(error)) return fault('wrong_tiles', note);
    throw error;
  }
}

async function compare(
  read: ReadCheckpoint,
  known: VerifiedCheckpoint,
  keys: readonly string[],
): Promise<LogVisit> {
  const now = read.signed.checkpoint;
  if (now.size === known.checkpoint.size && !equalBytes(now.root, known.checkpoint.root))
    return { outcome: 'fork', evidence: forkOfOneSize(known.raw, read.note, now.origin) };
  const isOlder = now.size < known.checkpoint.size;
  const larger = isOlder ? known.checkpoint : now;
  try {
    const tree = await VerifiedTree.open(larger, read.source.tile);
    const [one, other] = [
      { note: known.raw, checkpoint: known.checkpoint },
      { note: read.note, checkpoint: now },
    ];
    const compared = await compareCheckpoints(one, other, tree);
    if (compared.outcome === 'fork') return compared;
    return isOlder ? fault('older_checkpoint', read.note) : await current(read, keys, null);
  } catch (error) {
    if (isMissing(error)) return fault(isOlder ? 'older_checkpoint' : 'wrong_tiles', read.note);
    throw error;
  }
}

/** A file that the log of the checkpoint must have: absent, or another one. */
function isMissing(error: unknown): boolean {
  return error instanceof TileError || (error instanceof LogFileError && error.status === 404);
}

/** The statements of later epochs, each signed by a key of the one before; null if one is not. */
async function followEpochs(
  later: readonly LogEpoch[],
  trusted: readonly string[],
): Promise<{ readonly keys: readonly string[]; readonly statements: readonly EpochStatement[] } | null> {
  const keys: string[] = [];
  const statements: EpochStatement[] = [];
  const logKeys = [...(await parseKeys(trusted))];
  for (const { statement, origin } of later) {
    const stated = statement === null ? null : await verifyEpochStatement(statement, { logKeys });
    if (stated === null || stated.to.name !== origin) return null;
    statements.push(stated);
    logKeys.push(stated.to);
    keys.push(stated.key);
  }
  return { keys, statements };
}

/** The new log must begin with the leaves that each statement names, and with the known ones as far as they go. */
async function compareEpochs(
  read: ReadCheckpoint,
  known: VerifiedCheckpoint,
  { keys, statements }: { readonly keys: readonly string[]; readonly statements: readonly EpochStatement[] },
): Promise<LogVisit> {
  const [first, last] = [statements[0] as EpochStatement, statements.at(-1) as EpochStatement];
  const { size, root } = known.checkpoint;
  // A later restore can lose entries of an epoch that began after the known checkpoint.
  const preserved = Math.min(size, ...statements.map(({ from }) => from.size));
  const lost = preserved < size ? { first: preserved, count: size - preserved } : null;
  const renamed = { from: known.checkpoint.origin, to: last.to.name, at: last.at, lost };
  const visit = await current(read, keys, renamed);
  if (visit.outcome !== 'current') return visit;
  const { tree } = visit;
  if (tree.size < last.from.size) return fault('wrong_epoch', read.note);
  for (const { from } of statements.filter(({ from: one }) => one.size <= last.from.size))
    if (!equalBytes(await tree.root(from.size), from.root)) return fault('wrong_epoch', read.note);
  const isKnownBeginning = lost !== null || equalBytes(await tree.root(size), root);
  return isKnownBeginning && first.from.origin === renamed.from ? visit : fault('wrong_epoch', read.note);
}
