import { setTimeout as delay } from 'node:timers/promises';

import type { SuiteContext } from '@daybook/evidence';

import { verifyStorage } from '../../../apps/server/src/storage/wiring.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { FaultyClient } from './faulty-client.ts';
import type { FaultyRequests } from './faulty-requests.ts';
import type { KnownFile } from './known-file.ts';
import { mayHave } from './known-file.ts';
import type { LargeFiles } from './large-files.ts';
import { runInspection, runUpkeep } from './run-upkeep.ts';
import { requireAllAlive } from './storage-fault-kinds.ts';

interface FaultyRun {
  readonly clients: readonly FaultyClient[];
  /** The number of each kind. */
  readonly faults: ReadonlyMap<string, number>;
  readonly large: LargeFiles;
  /** The output of the workers. */
  readonly errors: string;
}

type None = (name: string, unit: string, offenders: readonly string[]) => void;

/** After a last sweep: all responses to clients were true, and both sides are equal. */
export async function judgeStorage(
  context: SuiteContext,
  stage: StorageStage,
  run: FaultyRun,
): Promise<void> {
  requireAllAlive(stage);
  await Promise.all(run.clients.map((client) => client.settleAll()));
  const none: None = (name, unit, offenders) => {
    for (const offender of offenders.slice(0, 5)) context.note(offender);
    context.figure({ name, value: offenders.length, unit, goal: { exactly: 0 } });
  };
  tellFaults(context, run);
  tellRequests(context, run);
  none(
    'answered otherwise than expected, or with other bytes',
    'requests',
    run.clients.flatMap(({ requests }) => requests.unexpected),
  );
  none('errors of workers that no fault explains', 'errors', errorsIn(run.errors));
  await countRemoved(context, stage, run);
  const sweptAt = await sweep(stage);
  none('left in the tables after the sweep', 'rows', await selectLeftovers(stage, sweptAt));
  await compareFiles(context, run, none);
  for (const { promise, offenders } of await verifyStorage(stage.upkeep))
    none(`found against: ${promise}`, 'things', offenders);
}

function tellFaults({ quick, figure }: SuiteContext, { faults }: FaultyRun): void {
  const all = [...faults.values()].reduce((sum, count) => sum + count, 0);
  figure({ name: 'faults', value: all, unit: 'faults', goal: { atLeast: quick ? 4 : 60 } });
  for (const [kind, count] of faults)
    figure({ name: `of these: ${kind}`, value: count, unit: 'times', goal: { atLeast: 1 } });
}

function tellRequests({ quick, figure, note }: SuiteContext, { clients, large }: FaultyRun): void {
  const sum = (count: (requests: FaultyRequests) => number): number =>
    clients.reduce((total, { requests }) => total + count(requests), 0);
  const kinds = new Set(clients.flatMap(({ requests }) => Object.keys(requests.done)));
  note([...kinds].map((kind) => `${kind} ${sum(({ done }) => done[kind] ?? 0)}`).join(', '));
  const answered = sum((requests) => requests.answered);
  figure({ name: 'requests answered', value: answered, unit: 'requests', goal: { atLeast: 100 } });
  const unanswered = sum((requests) => requests.unanswered);
  figure({ name: 'requests without an answer', value: unanswered, unit: 'requests', goal: { atLeast: 1 } });
  if (quick) return;
  note(`${large.begun} of 200 MB were begun`);
  figure({
    name: 'uploads of 200 MB answered',
    value: large.answered,
    unit: 'uploads',
    goal: { atLeast: 3 },
  });
}

function errorsIn(written: string): readonly string[] {
  // Lines that begin with a blank belong to the error before them.
  return written.split(/\n(?=\S)/).filter((text) => text.trim() !== '');
}

/** What the workers removed while they were killed; the last sweep does the rest. */
async function countRemoved(
  { quick, figure }: SuiteContext,
  stage: StorageStage,
  { clients }: FaultyRun,
): Promise<void> {
  const expired = clients.reduce((sum, { requests }) => sum + (requests.done['let expire'] ?? 0), 0);
  const { rows } = await stage.superuser.pool.query<{ left: number }>(
    "SELECT count(*)::int AS left FROM storage.entry WHERE trashed_at < now() - interval '30 days'",
  );
  figure({
    name: 'files removed by the workers when their time in the trash was over',
    value: expired - (rows[0]?.left ?? 0),
    unit: 'files',
    ...(!quick && { goal: { atLeast: 1 } }),
  });
}

/** Answers when it began. */
async function sweep(stage: StorageStage): Promise<string> {
  const { rows } = await stage.superuser.pool.query<{ at: string }>('SELECT now()::text AS at');
  // A client without a response may have left an upload open: it expires now.
  await stage.superuser.pool.query(
    "UPDATE storage.upload SET expires_at = now() - interval '1 s' WHERE state = 'open'",
  );
  // Inspections that ended with a worker's death or an unreadable content would be retried only later.
  await stage.superuser.pool.query(
    'UPDATE storage.blob SET inspection_due_at = now() WHERE inspection_due_at > now()',
  );
  await untilSwept(stage);
  await runInspection(stage.upkeep);
  return rows[0]?.at ?? '';
}

const sweepsMax = 5;

/** A gateway that was killed while it completed an upload keeps others from it for ten seconds. */
async function untilSwept({ upkeep }: StorageStage): Promise<void> {
  for (let sweeps = 1; ; sweeps += 1) {
    try {
      return await runUpkeep(upkeep);
    } catch (error) {
      if (!isCompletedElsewhere(error) || sweeps === sweepsMax) throw error;
    }
    await delay(5_000);
  }
}

function isCompletedElsewhere(fault: unknown): boolean {
  if (fault instanceof AggregateError) return fault.errors.every(isCompletedElsewhere);
  return fault instanceof Error && fault.message.includes('completion is already in progress');
}

async function compareFiles(context: SuiteContext, { clients }: FaultyRun, none: None): Promise<void> {
  const [wrong, lost, found]: [string[], string[], string[]] = [[], [], []];
  let [files, versions, purged] = [0, 0, 0];
  await Promise.all(
    clients.map(async (client) => {
      for (const file of client.files) {
        files += 1;
        const fault = await faultOf(client.requests, file);
        if (fault !== null) wrong.push(`${file.id}: ${fault}`);
        if (file.state !== 'live') continue;
        const compared = await compareVersions(client.requests, file, lost);
        versions += compared;
      }
      for (const { id } of client.purged) {
        purged += 1;
        const answer = await client.requests.readHash(`/api/v1/files/${id}/content`);
        if (answer?.status !== 404) found.push(`${id}: ${answer?.status}`);
      }
    }),
  );
  context.figure({ name: 'files compared', value: files, unit: 'files', goal: { atLeast: 30 } });
  none('of these lost, or not byte for byte', 'files', wrong);
  context.figure({ name: 'versions compared', value: versions, unit: 'versions', goal: { atLeast: 30 } });
  none('of these lost, or not byte for byte', 'versions', lost);
  context.figure({ name: 'purged files', value: purged, unit: 'files', goal: { atLeast: 1 } });
  none('of these still there', 'files', found);
}

async function faultOf(requests: FaultyRequests, file: KnownFile): Promise<string | null> {
  const answer = await requests.readHash(`/api/v1/files/${file.id}/content`);
  if (file.state === 'trashed')
    return answer?.status === 404 ? null : `${answer?.status}, but it was deleted`;
  if (answer?.status !== 200) return `${answer?.status}`;
  return mayHave(file, answer.sha256) ? null : 'other bytes';
}

/** Every content that it was confirmed to have and that has not expired, and every other listed one. */
async function compareVersions(requests: FaultyRequests, file: KnownFile, lost: string[]): Promise<number> {
  const path = `/api/v1/files/${file.id}`;
  const listed = await requests.ask('GET', `${path}/versions?limit=100`);
  const versions = listed?.json<{ data: { version: number; sha256: string | null }[] }>().data ?? [];
  for (const content of file.kept)
    if (!versions.some(({ sha256 }) => sha256 === content)) lost.push(`${file.id}: ${content} is not listed`);
  for (const { version, sha256 } of versions) {
    const answer = await requests.readHash(`${path}/content?version=${version}`);
    if (answer?.status !== 200 || answer.sha256 !== sha256)
      lost.push(`${file.id}: version ${version}: ${answer?.status} ${answer?.sha256}`);
  }
  return versions.length;
}

/** Contents that were due for removal and still exist. */
async function selectLeftovers(stage: StorageStage, sweptAt: string): Promise<readonly string[]> {
  const { rows } = await stage.superuser.pool.query<{ leftover: string }>(
    `SELECT 'entry ' || id AS leftover FROM storage.entry WHERE trashed_at < $1::timestamptz - interval '30 days'
     UNION ALL SELECT 'blob ' || key FROM storage.blob WHERE condemned_at < $1::timestamptz
     UNION ALL SELECT 'upload ' || id FROM storage.upload WHERE state IN ('open', 'completing')`,
    [sweptAt],
  );
  return rows.map(({ leftover }) => leftover);
}
