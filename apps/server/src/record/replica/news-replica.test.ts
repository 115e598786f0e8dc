import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { connectDatabase } from '../../foundation/database/database.ts';
import { temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ReplicaState } from './news-replica.ts';
import { NewsReplica } from './news-replica.ts';
import type { ReplicaPosition } from './replica-position-store.ts';
import { covers, readReplicaPosition } from './replica-position-store.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

/** The position of the primary, as a standby that has replayed everything reports it. */
async function replayed(): Promise<ReplicaPosition> {
  return { ...(await readReplicaPosition(store.database)), replays: true };
}

interface Watched {
  readonly replica: NewsReplica;
  readonly states: readonly ReplicaState[];
  /** What the standby answers from now on; null: nothing. */
  position: ReplicaPosition | Promise<never> | null;
  readonly poll: () => Promise<unknown>;
}

function watch(position: Watched['position']): Watched {
  const states: ReplicaState[] = [];
  const watched: Watched = {
    states,
    position,
    poll: () => watched.replica.readVersions(store.database),
    replica: new NewsReplica({
      readPosition: async () => {
        if (watched.position === null) throw new Error('connect ECONNREFUSED');
        return watched.position;
      },
      onState: (state) => states.push(state),
    }),
  };
  return watched;
}

/** Which of the two servers a read uses. */
function serverOf({ replica }: Watched): Promise<string> {
  return replica.read(
    () => Promise.resolve('replica'),
    () => Promise.resolve('primary'),
  );
}

test('uses a replica only while it has every decision that the primary had at the last poll', async () => {
  const factory = createRecordFactory({ database: store.database, clock });
  const itemId = await factory.publishSelected();
  const watched = watch(await replayed());
  expect(await serverOf(watched)).toBe('primary');
  await watched.poll();
  await vi.waitFor(async () => expect(await serverOf(watched)).toBe('replica'));
  valueOf(await factory.publisher.withdrawItem({ itemId }));
  await watched.poll();
  // At once, before the replica answers.
  expect(await serverOf(watched)).toBe('primary');
  watched.position = await replayed();
  await watched.poll();
  await vi.waitFor(async () => expect(await serverOf(watched)).toBe('replica'));
  expect(watched.states).toEqual(['current', 'behind', 'current']);
});

test('uses the primary while the replica, or the poll of the primary, fails', async () => {
  const watched = watch(null);
  await watched.poll();
  await vi.waitFor(() => expect(watched.states).toEqual(['unreachable']));
  expect(await serverOf(watched)).toBe('primary');
  watched.position = await replayed();
  await watched.poll();
  await vi.waitFor(() => expect(watched.replica.isCurrent()).toBe(true));
  const away = connectDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    name: 'away',
    connectionsMax: 1,
    connectTimeoutMs: 1_000,
  });
  await expect(watched.replica.readVersions(away.database)).rejects.toThrow('ECONNREFUSED');
  await away.close();
  expect(await serverOf(watched)).toBe('primary');
});

test('reads again from the primary what a replica that stopped answering did not finish', async () => {
  const watched = watch(await replayed());
  await watched.poll();
  await vi.waitFor(() => expect(watched.replica.isCurrent()).toBe(true));
  const { promise: never } = Promise.withResolvers<string>();
  const read = watched.replica.read(
    () => never,
    () => Promise.resolve('primary'),
  );
  watched.position = null;
  await watched.poll();
  expect(await read).toBe('primary');
});

test('reads again from the primary after an error, and passes on a refusal', async () => {
  const watched = watch(await replayed());
  await watched.poll();
  await vi.waitFor(() => expect(watched.replica.isCurrent()).toBe(true));
  const primary = (): Promise<string> => Promise.resolve('primary');
  const conflict = new Error('canceling statement due to conflict with recovery');
  expect(await watched.replica.read(() => Promise.reject(conflict), primary)).toBe('primary');
  const refusal = new ProblemError(temporarilyUnavailable, 'Too many searches.');
  await expect(watched.replica.read(() => Promise.reject(refusal), primary)).rejects.toBe(refusal);
});

test('never uses a server that accepts writes, or has another epoch', async () => {
  const position = await replayed();
  expect(covers(position, position)).toBe(true);
  expect(covers({ ...position, replays: false }, position)).toBe(false);
  expect(covers({ ...position, epoch: crypto.randomUUID() }, position)).toBe(false);
  expect(covers({ ...position, versions: position.versions.slice(1) }, position)).toBe(false);
});
