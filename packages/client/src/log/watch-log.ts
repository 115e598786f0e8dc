import type { VerifiedCheckpoint } from './checkpoint.ts';
import { verifyCheckpoint } from './checkpoint.ts';
import type { ForkEvidence } from './fork.ts';
import { compareCheckpoints } from './fork.ts';
import type { CurrentLog, LogFault, LogServer, RenamedLog } from './log-view.ts';
import { parseKeys, visitLog } from './log-view.ts';
import type { ProvenEntry } from './proof.ts';

/** What a mirror stores of a log: every checkpoint that it saw. */
export interface CheckpointHistory {
  readonly keys: readonly string[];
  /** Signed notes, oldest first. */
  readonly checkpoints: readonly string[];
}

export type WatchedLog =
  | {
      readonly outcome: 'consistent';
      readonly log: CurrentLog;
      /** The history with the newest checkpoint, to be saved. */
      readonly history: CheckpointHistory;
      /** Saved checkpoints that the present log was compared with. */
      readonly compared: number;
      readonly renamed: RenamedLog | null;
    }
  | { readonly outcome: 'fork'; readonly evidence: ForkEvidence }
  | { readonly outcome: 'fault'; readonly fault: LogFault; readonly checkpoint: string | null };

/**
 * Reads the newest checkpoint and compares it with every saved one: the tree must begin with each of them. Checkpoints of
 * earlier epochs were compared before the log was renamed.
 */
export async function watchLog(
  server: LogServer,
  { history, keys = [] }: { readonly history: CheckpointHistory | null; readonly keys?: readonly string[] },
): Promise<WatchedLog> {
  const newest = history?.checkpoints.at(-1);
  const view = history === null || newest === undefined ? null : { keys: history.keys, checkpoint: newest };
  const visit = await visitLog(server, { view, keys });
  if (visit.outcome !== 'current') return visit;
  const { signed, tree } = visit;
  const saved = await savedOf(history?.checkpoints ?? [], visit);
  for (const one of saved) {
    const pair = [one, signed].map(({ raw: note, checkpoint }) => ({ note, checkpoint }));
    const compared = await compareCheckpoints(...(pair as [Pair, Pair]), tree);
    if (compared.outcome === 'fork') return compared;
  }
  const isNew = newest === undefined || !isSameCheckpoint(newest, visit.view.checkpoint);
  const checkpoints = [...(history?.checkpoints ?? []), ...(isNew ? [visit.view.checkpoint] : [])];
  return {
    outcome: 'consistent',
    log: visit,
    history: { keys: visit.view.keys, checkpoints },
    compared: saved.length,
    renamed: visit.renamed,
  };
}

type Pair = Parameters<typeof compareCheckpoints>[0];

/** Witnesses add signatures below the text. */
function isSameCheckpoint(one: string, other: string): boolean {
  const [text, sameText] = [one, other].map((note) => note.slice(0, note.lastIndexOf('\n\n')));
  return text === sameText;
}

async function savedOf(
  checkpoints: readonly string[],
  { view, signed }: CurrentLog,
): Promise<readonly VerifiedCheckpoint[]> {
  const logKeys = await parseKeys(view.keys);
  const all = await Promise.all(checkpoints.map((note) => verifyCheckpoint(note, { logKeys })));
  const { origin } = signed.checkpoint;
  return all.filter((one) => one !== null && one.checkpoint.origin === origin) as VerifiedCheckpoint[];
}

const bundleWidth = 256;

/** The newest entry of everything of a kind, by id: every entry is compared with its leaf. */
export async function readNewestEntries(
  { tree, source }: Pick<CurrentLog, 'tree' | 'source'>,
  kind: string,
): Promise<ReadonlyMap<string, ProvenEntry>> {
  const newest = new Map<string, ProvenEntry>();
  for (let bundle = 0; bundle * bundleWidth < tree.size; bundle += 1)
    for (const bytes of await tree.entries(bundle, source.bundle)) {
      const entry = JSON.parse(new TextDecoder().decode(bytes)) as ProvenEntry;
      if (entry.kind === kind) newest.set(entry.id, entry);
    }
  return newest;
}
