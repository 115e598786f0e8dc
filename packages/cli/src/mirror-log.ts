import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import type { NewsClient } from '@daybook/client';
import { differingFields, verifyProof } from '@daybook/client/log/proof';
import type { ProvenEntry } from '@daybook/client/log/proof';
import { parseKeys } from '@daybook/client/log/view';
import type { CheckpointHistory, WatchedLog } from '@daybook/client/log/watch';
import { readNewestEntries, watchLog } from '@daybook/client/log/watch';
import type { MirrorStore } from '@daybook/client/mirror';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf } from './command-line.ts';

/** What is stored beside a mirror. */
interface SavedLog extends CheckpointHistory {
  /** The hash of the content of each item that was proved, by id. */
  readonly proved: Readonly<Record<string, string>>;
}

/** One run requests this many proofs; the next run continues. */
const proofsMax = 300;

/** Compares the public log with every checkpoint seen before, and the items of the mirror with their entries. */
export async function checkMirrorLog(
  line: CommandLine,
  host: CliHost,
  { store, path }: { readonly store: MirrorStore; readonly path: string },
): Promise<void> {
  const file = `${path}.log.json`;
  const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SavedLog) : null;
  if (saved === null && line.key === null)
    host.say(
      `Using the keys of ${line.server}/log/keys. Pass --key to use a key from a source that you trust.`,
    );
  const keys = line.key?.split(/\s+/u) ?? [];
  const seen = await watchLog({ baseUrl: line.server, fetch: host.fetch }, { history: saved, keys });
  if (seen.outcome === 'fork') {
    const evidence = `${path}.fork.json`;
    writeFileSync(evidence, JSON.stringify(seen.evidence));
    throw new CliError(
      'different',
      `FORK: ${line.server} signed two logs that contradict each other. Publish ${evidence}: with the key of the log, anyone can verify the contradiction.`,
    );
  }
  if (seen.outcome === 'fault')
    throw new CliError('different', `the log does not continue the saved checkpoints: ${seen.fault}`);
  const checked = await checkItems(seen, store, clientOf(line, host), saved?.proved ?? {});
  save(file, { ...seen.history, proved: checked.proved });
  report(line, host, seen, checked);
}

interface CheckedItems {
  readonly proved: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
  readonly items: number;
  /** Published before the log began. */
  readonly withoutEntry: number;
  /** Whose content is still to be compared. */
  readonly waiting: number;
}

async function checkItems(
  { log, history }: Extract<WatchedLog, { readonly outcome: 'consistent' }>,
  store: MirrorStore,
  client: NewsClient,
  before: SavedLog['proved'],
): Promise<CheckedItems> {
  const entries = await readNewestEntries(log, 'item');
  const logKeys = await parseKeys(history.keys);
  const proved: Record<string, string> = {};
  const faults: string[] = [];
  let [items, withoutEntry, waiting, requests] = [0, 0, 0, 0];
  await store.read(async (copy) => {
    for await (const { item } of copy.items) {
      items += 1;
      const entry = entries.get(item.id);
      if (entry === undefined) withoutEntry += 1;
      else if (entry.bodyHash === null) faults.push(`${item.id} is withdrawn in the log`);
      else if (before[item.id] === entry.bodyHash) proved[item.id] = entry.bodyHash;
      else if (requests >= proofsMax) waiting += 1;
      else {
        requests += 1;
        const fault = await compareContent(client, { item, entry, logKeys });
        if (fault === null) proved[item.id] = entry.bodyHash;
        else faults.push(`${item.id}: ${fault}`);
      }
    }
  });
  return { proved, faults, items, withoutEntry, waiting };
}

async function compareContent(
  client: NewsClient,
  {
    item,
    entry,
    logKeys,
  }: {
    readonly item: { readonly id: string };
    readonly entry: ProvenEntry;
    readonly logKeys: Awaited<ReturnType<typeof parseKeys>>;
  },
): Promise<string | null> {
  const { id } = item;
  const answer = await client.getItemProof({ id, revision: entry.revision });
  if (!answer.ok) return `the server has no proof (${answer.problem.code})`;
  const { proof } = answer.data;
  const verified = await verifyProof(proof, { logKeys, subject: { kind: 'item', id } });
  if (!verified.ok) return verified.fault;
  if (verified.entry.bodyHash !== entry.bodyHash)
    return 'the proof is for a different entry than the one in the log';
  // The server words reasons in the language of the reader.
  const differing = differingFields(proof.body, item).filter((field) => field !== 'reason');
  return differing.length === 0 ? null : `the content differs from the log in: ${differing.join(', ')}`;
}

function save(file: string, saved: SavedLog): void {
  writeFileSync(`${file}.new`, JSON.stringify(saved), { flush: true });
  renameSync(`${file}.new`, file);
}

function report(
  line: CommandLine,
  host: CliHost,
  { log, compared, renamed }: Extract<WatchedLog, { readonly outcome: 'consistent' }>,
  { faults, items, withoutEntry, waiting }: CheckedItems,
): void {
  const { size, origin } = log.signed.checkpoint;
  if (line.json)
    host.print(JSON.stringify({ origin, size, compared, items, withoutEntry, waiting, faults, renamed }));
  else {
    host.print(`${origin}: ${size} entries, consistent with ${compared} saved checkpoints.`);
    if (renamed !== null)
      host.print(`The log ${renamed.from} ended and continues as ${renamed.to}, by a signed statement.`);
    host.print(
      `${items} items: ${items - withoutEntry - waiting - faults.length} match the log, ${withoutEntry} are older than the log, ${waiting} will be compared in the next run.`,
    );
  }
  if (faults.length > 0) throw new CliError('different', faults.slice(0, 20).join('\n'));
}
