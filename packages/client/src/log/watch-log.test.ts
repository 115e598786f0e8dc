import { expect, test } from 'vitest';

import { TestLog } from '../../test/test-log.ts';
import { verifyForkEvidence } from './fork.ts';
import { parseKeys } from './log-view.ts';
import type { CheckpointHistory, WatchedLog } from './watch-log.ts';
import { readNewestEntries, watchLog } from './watch-log.ts';

const serverOf = (log: TestLog) => ({ baseUrl: 'https://news.example', fetch: log.fetch });

async function watched(log: TestLog, history: CheckpointHistory | null) {
  const seen = await watchLog(serverOf(log), { history });
  if (seen.outcome !== 'consistent') throw new Error(seen.outcome);
  return seen;
}

test('a mirror saves each checkpoint once and compares the log with all of them', async () => {
  const log = await TestLog.create();
  let history: CheckpointHistory | null = null;
  let last: Extract<WatchedLog, { outcome: 'consistent' }> | null = null;
  for (let count = 0; count < 4; count += 1) {
    await log.append(`item ${count}`, { title: `Item ${count}` });
    for (let visit = 0; visit < 2; visit += 1) {
      last = await watched(log, history);
      ({ history } = last);
    }
  }
  expect(history?.checkpoints).toHaveLength(4);
  expect(last?.compared).toBe(4);
  await log.append('item 0', null);
  const entries = await readNewestEntries((await watched(log, history)).log, 'item');
  expect([...entries.values()].map(({ id, action }) => `${id} ${action}`)).toEqual([
    'item 0 withdrawn',
    'item 1 published',
    'item 2 published',
    'item 3 published',
  ]);
});

test('a log that contradicts an earlier saved checkpoint, not the newest, is a fork that others can verify', async () => {
  const log = await TestLog.create();
  for (let count = 0; count < 3; count += 1) await log.append(`item ${count}`, { title: `Item ${count}` });
  const { history } = await watched(log, null);
  const other = await TestLog.create();
  other.key = log.key;
  for (let count = 0; count < 5; count += 1) await other.append(`other ${count}`, { title: 'Other' });
  const mixed = { ...history, checkpoints: [...history.checkpoints, await other.checkpoint(4)] };
  const seen = await watchLog(serverOf(other), { history: mixed });
  expect(seen.outcome).toBe('fork');
  if (seen.outcome !== 'fork') return;
  expect(await verifyForkEvidence(seen.evidence, { logKeys: await parseKeys(history.keys) })).toBe(true);
});

test('an entry that is not that of its leaf is an error', async () => {
  const log = await TestLog.create();
  await log.append('item', { title: 'Item' });
  const { log: seen } = await watched(log, null);
  log.leaves = log.leaves.map((leaf) => ({
    ...leaf,
    entry: { ...leaf.entry, at: '2020-01-01T00:00:00.000Z' },
  }));
  await expect(readNewestEntries(seen, 'item')).rejects.toThrow('not that of the checkpoint');
});
