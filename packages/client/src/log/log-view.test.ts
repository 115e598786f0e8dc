import { beforeEach, describe, expect, test } from 'vitest';

import { createTestKey, TestLog } from '../../test/test-log.ts';
import type { ForkEvidence } from './fork.ts';
import { verifyForkEvidence } from './fork.ts';
import type { LogView, LogVisit } from './log-view.ts';
import { parseKeys, visitLog } from './log-view.ts';

const baseUrl = 'https://news.example';
let log: TestLog;
beforeEach(async () => {
  log = await TestLog.create();
});

async function grow(to: TestLog, count: number, label = 'item'): Promise<void> {
  for (let at = 0; at < count; at += 1) await to.append(`${label} ${to.leaves.length}`, { title: label });
}

const visit = (at: TestLog, view: LogView | null, keys?: readonly string[]): Promise<LogVisit> =>
  visitLog({ baseUrl, fetch: at.fetch }, { view, ...(keys === undefined ? {} : { keys }) });

async function viewOf(at: TestLog, view: LogView | null = null): Promise<LogView> {
  const visited = await visit(at, view);
  if (visited.outcome !== 'current') throw new Error(JSON.stringify(visited));
  return visited.view;
}

const logKeys = () => parseKeys([log.key.verifierKey]);

describe('a reader who returns', () => {
  test('accepts a log that has grown, across tiles', async () => {
    let view: LogView | null = null;
    for (const count of [1, 2, 253, 1, 300]) {
      await grow(log, count);
      view = await viewOf(log, view);
    }
    expect(view?.checkpoint).toContain('\n557\n');
  });

  test('trusts the keys of the first visit, or the given ones, and no others', async () => {
    await grow(log, 2);
    const stranger = (await createTestKey(log.key.name)).verifierKey;
    expect(await visit(log, null, [stranger])).toMatchObject({ fault: 'unsigned_checkpoint' });
    const view = await viewOf(log);
    log.key = await createTestKey(log.key.name);
    expect(await visit(log, view)).toMatchObject({ outcome: 'fault', fault: 'unsigned_checkpoint' });
  });

  test.each([
    ['of the same size', 5, 5],
    ['that has grown', 5, 270],
    ['that has grown over a full tile', 300, 700],
  ])('proves a fork %s to anyone with the key', async (_, knownSize, size) => {
    await grow(log, knownSize - 3);
    const forked = log.copy();
    await grow(log, 3);
    const view = await viewOf(log);
    await grow(forked, size - forked.leaves.length, 'other');
    const visited = await visit(forked, view);
    if (visited.outcome !== 'fork') throw new Error(visited.outcome);
    const evidence = JSON.parse(JSON.stringify(visited.evidence)) as ForkEvidence;
    expect(await verifyForkEvidence(evidence, { logKeys: await logKeys() })).toBe(true);
    const stranger = await parseKeys([(await createTestKey(log.key.name)).verifierKey]);
    expect(await verifyForkEvidence(evidence, { logKeys: stranger })).toBe(false);
    const honest = { ...evidence, second: await log.checkpoint() };
    expect(await verifyForkEvidence(honest, { logKeys: await logKeys() })).toBe(false);
  });

  test('notices an earlier checkpoint, and tiles that are not those of the checkpoint', async () => {
    await grow(log, 300);
    const view = await viewOf(log);
    const earlier = log.copy();
    earlier.leaves = earlier.leaves.slice(0, 200);
    expect(await visit(earlier, view)).toMatchObject({ fault: 'older_checkpoint' });
    await grow(log, 1);
    const broken = async (url: string): Promise<Response> => {
      const bytes = await log.serve(new URL(url).pathname);
      if (url.includes('/tile/0/001')) bytes!.set([bytes![0]! ^ 1]);
      return new Response(bytes as Uint8Array<ArrayBuffer>);
    };
    expect(await visitLog({ baseUrl, fetch: broken }, { view })).toMatchObject({ fault: 'wrong_tiles' });
  });
});

describe('a log that continues under another name after a restore', () => {
  test('is accepted with a signed statement, which says what was lost', async () => {
    await grow(log, 10);
    const view = await viewOf(log);
    await log.rename('news.example/log/2', 7);
    await grow(log, 5, 'after');
    const visited = await visit(log, view);
    expect(visited).toMatchObject({
      outcome: 'current',
      renamed: { from: 'news.example/log', to: 'news.example/log/2', lost: { first: 7, count: 3 } },
    });
    await log.rename('news.example/log/3');
    const [again] = [await visit(log, view), await visit(log, (visited as { view: LogView }).view)];
    expect(again).toMatchObject({ renamed: { to: 'news.example/log/3', lost: { first: 7, count: 3 } } });
  });

  test('is accepted by a reader whose checkpoint it contains', async () => {
    await grow(log, 5);
    const view = await viewOf(log);
    await grow(log, 5);
    await log.rename('news.example/log/2', 7);
    expect(await visit(log, view)).toMatchObject({ outcome: 'current', renamed: { lost: null } });
  });

  test('is refused if the former key did not sign it, or if it does not begin as the statement says', async () => {
    await grow(log, 10);
    const view = await viewOf(log);
    const stolen = log.copy();
    stolen.key = await createTestKey('news.example/log');
    await stolen.rename('news.example/log/2', 7);
    expect(await visit(stolen, view)).toMatchObject({ fault: 'wrong_epoch' });
    const silent = new TestLog(await createTestKey('news.example/other'));
    await grow(silent, 3);
    expect(await visit(silent, view)).toMatchObject({ fault: 'other_log' });
    await log.rename('news.example/log/2');
    log.leaves[2] = log.leaves[3]!;
    expect(await visit(log, view)).toMatchObject({ fault: 'wrong_epoch' });
  });
});
