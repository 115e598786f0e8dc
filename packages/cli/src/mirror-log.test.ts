import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ForkEvidence } from '@daybook/client/log/fork';
import { verifyForkEvidence } from '@daybook/client/log/fork';
import { parseKeys } from '@daybook/client/log/view';
import type { MirrorStore } from '@daybook/client/mirror';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { TestLog } from '../../client/test/test-log.ts';
import type { CliHost } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { checkMirrorLog } from './mirror-log.ts';

let path: string;
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'daybook-mirror-log-')), 'mirror.db');
});
afterEach(() => rm(join(path, '..'), { recursive: true }));

const server = 'https://news.example';

/** The log and the proofs of a server. */
function hostOf(log: TestLog, printed: string[]): CliHost {
  const answer = async (address: string | URL | Request): Promise<Response> => {
    const { pathname } = new URL(String(address instanceof Request ? address.url : address));
    const [, id] = /^\/api\/v1\/items\/(.+)\/proof$/u.exec(pathname) ?? [];
    if (id === undefined) return log.fetch(`${server}${pathname}`);
    const index = log.leaves.findLastIndex(({ entry }) => entry.id === decodeURIComponent(id));
    return Response.json({ schemaVersion: 1, proof: await log.proof(index) });
  };
  return {
    env: {},
    home: '/',
    nowMs: () => 0,
    print: (text: string) => void printed.push(text),
    say: () => {},
    openBrowser: () => Promise.resolve(false),
    screen: { columns: 100, isTerminal: false },
    page: () => {},
    fetch: answer,
  };
}

function storeOf(items: readonly object[]): MirrorStore {
  const read = (use: (copy: unknown) => Promise<unknown>) =>
    use({
      progress: null,
      items: (async function* listed() {
        for (const item of items) yield { item };
      })(),
    });
  return { read } as unknown as MirrorStore;
}

async function check(log: TestLog, items: readonly object[]): Promise<string> {
  const printed: string[] = [];
  const line = { server, key: null, json: false } as unknown as CommandLine;
  await checkMirrorLog(line, hostOf(log, printed), { store: storeOf(items), path });
  return printed.join('\n');
}

test('items are compared with their entries, and each run compares the log with all earlier checkpoints', async () => {
  const log = await TestLog.create();
  const items = [1, 2, 3].map((number) => ({ id: `item ${number}`, title: `Item ${number}` }));
  for (const item of items) await log.append(item.id, item);
  expect(await check(log, [...items, { id: 'older', title: 'Older' }])).toBe(
    'news.example/log: 3 entries, consistent with 0 saved checkpoints.\n4 items: 3 match the log, 1 are older than the log, 0 will be compared in the next run.',
  );
  await log.append('item 4', { id: 'item 4', title: 'Item 4' });
  expect(await check(log, items)).toContain('4 entries, consistent with 1 saved checkpoints');
  await expect(check(log, [{ id: 'item 4', title: 'Another title' }])).rejects.toThrow(
    'item 4: the content differs from the log in: title',
  );
  await log.append('item 1', null);
  await expect(check(log, items)).rejects.toThrow('item 1 is withdrawn in the log');
});

test('a fork is reported, with evidence in a file that can be verified with the key', async () => {
  const log = await TestLog.create();
  for (const number of [1, 2]) await log.append(`item ${number}`, { title: `Item ${number}` });
  await check(log, []);
  const other = await TestLog.create();
  other.key = log.key;
  for (const number of [1, 2, 3]) await other.append(`other ${number}`, { title: 'Other' });
  await expect(check(other, [])).rejects.toThrow('FORK');
  const evidence = JSON.parse(readFileSync(`${path}.fork.json`, 'utf8')) as ForkEvidence;
  expect(await verifyForkEvidence(evidence, { logKeys: await parseKeys([log.key.verifierKey]) })).toBe(true);
  expect(existsSync(`${path}.log.json.new`)).toBe(false);
});
