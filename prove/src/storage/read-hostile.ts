import type { SuiteContext } from '@daybook/evidence';
import { quantile } from '@daybook/evidence';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import type { StagePerson } from './access-askers.ts';
import type { HostileFile } from './hostile-files.ts';
import { storeFile } from './hostile-storing.ts';

export interface Attacked {
  readonly stage: StorageStage;
  readonly worker: WorkerSupervisor;
  readonly attacker: StagePerson;
  readonly projectId: string;
  /** Of a user who has nothing to do with the attacker. */
  readonly listedProject: string;
}

/** Milliseconds of lists of another user, one list per batch while it is read, and one after it. */
export interface ListTimes {
  readonly beside: number[];
  readonly idle: number[];
}

/** The longest that all files of a batch may take, with two attempts each. */
const batchMs = 400_000;
const pauseMs = 20;

/** Stores a batch while the worker is stopped, then measures lists until the worker has read all of it. */
export async function readBatch(
  attacked: Attacked,
  files: readonly HostileFile[],
  listsMin: number,
): Promise<{ readonly ids: readonly string[]; readonly times: ListTimes }> {
  const { stage, worker, attacker, projectId } = attacked;
  worker.signal(0, 'SIGSTOP');
  const ids: string[] = [];
  for (const [index, file] of files.entries())
    ids.push(await storeFile(stage, projectId, { ...file, name: `${index} ${file.name}` }, attacker.bearer));
  worker.signal(0, 'SIGCONT');
  const end = performance.now() + batchMs;
  const beside = await measureLists(attacked, async (lists) => {
    const waits = lists % 10 > 0 || (await countWaiting(stage)) > 0;
    return (waits || lists < listsMin) && performance.now() < end;
  });
  const idle = await measureLists(attacked, async (lists) => lists < listsMin);
  return { ids, times: { beside, idle } };
}

/** What failed is tried a second time ten minutes later; here at once. */
export async function readSecondTime({ stage }: Attacked): Promise<void> {
  await stage.superuser.pool.query('UPDATE storage.derived SET due_at = now(), tries = 2 WHERE tries = 1');
  const end = performance.now() + batchMs;
  while (performance.now() < end && (await countWaiting(stage)) > 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Contents that are inspected or read for the first time, or for the second time after `readSecondTime`. */
async function countWaiting({ superuser }: StorageStage): Promise<number> {
  const { rows } = await superuser.pool.query<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM storage.blob WHERE inspection_due_at IS NOT NULL)::int
       + (SELECT count(*) FROM storage.derived WHERE due_at IS NOT NULL AND tries <> 1)::int AS waiting`,
  );
  return rows[0]?.waiting ?? 0;
}

async function measureLists(
  { stage, listedProject }: Attacked,
  goesOn: (lists: number) => Promise<boolean>,
): Promise<number[]> {
  const { port = 0 } = stage.processes[0] ?? {};
  const path = `/api/v1/projects/${listedProject}/children?limit=100`;
  const times: number[] = [];
  while (await goesOn(times.length)) {
    const start = performance.now();
    const answer = await sendBytes(port, { method: 'GET', path, headers: stage.headers }, Buffer.alloc(0));
    times.push(performance.now() - start);
    if (answer?.status !== 200) throw new Error(`the list was answered ${answer?.status}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return times;
}

/** Rounds are paired: each p95 beside the one right after it. */
export function reportTimes(context: SuiteContext, rounds: readonly ListTimes[]): void {
  const p95 = (times: readonly number[]): number => quantile(times, 0.95);
  context.ratio({
    name: 'p95 of a list of another user, while documents are read, of that when none is',
    unit: 'ms',
    ours: rounds.map(({ beside }) => p95(beside)),
    bare: rounds.map(({ idle }) => p95(idle)),
    // Rounds of a quick run are too short for a quantile.
    ...(!context.quick && { goal: { atMost: 1.5 } }),
  });
}

interface Outcomes {
  readonly texts: number;
  readonly pictures: number;
  readonly faults: number;
  /** Neither read, nor refused with a reason, nor without anything to read. */
  readonly missing: readonly string[];
  /** With the secret that they name. */
  readonly revealing: readonly string[];
  /** Ids of files with a text or a picture. */
  readonly read: ReadonlySet<string>;
}

export async function outcomesOf(
  { superuser }: StorageStage,
  ids: readonly string[],
  secret: string,
): Promise<Outcomes> {
  const { rows } = await superuser.pool.query<{
    id: string;
    name: string;
    ended: boolean;
    fault: string | null;
    text: string | null;
    picture: boolean;
  }>(
    `SELECT entry.id, entry.name, fault, text, derived.key IS NOT NULL AND derived.due_at IS NULL AS ended,
       content_picture.key IS NOT NULL AS picture
     FROM storage.entry JOIN storage.version ON version.file_id = entry.id
       LEFT JOIN storage.derived ON derived.key = version.blob_key
       LEFT JOIN storage.content_text ON content_text.key = version.blob_key
       LEFT JOIN storage.content_picture ON content_picture.key = version.blob_key
     WHERE entry.id = ANY ($1)`,
    [ids],
  );
  const names = (found: typeof rows): readonly string[] => found.map(({ name }) => name);
  return {
    texts: rows.filter(({ text }) => text !== null).length,
    pictures: rows.filter(({ picture }) => picture).length,
    faults: rows.filter(({ fault }) => fault !== null).length,
    missing: names(rows.filter(({ ended }) => !ended)),
    revealing: names(rows.filter(({ text }) => text?.includes(secret) === true)),
    read: new Set(rows.filter(({ text, picture }) => text !== null || picture).map(({ id }) => id)),
  };
}
