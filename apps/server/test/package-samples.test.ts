import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { logKeyFile } from '../src/record/wiring.ts';
import { createTestClock } from './clock.ts';
import type { TestDatabase } from './database.ts';
import { createTestDatabase } from './database.ts';
import { createRecordFactory, valueOf } from './factories/record-factory.ts';
import { readSamples } from './markdown-samples.ts';
import type { NewsApp } from './news-app.ts';
import { startNewsApp } from './news-app.ts';
import { runSamples } from './run-samples.ts';
import { sequenceLog } from './sequence-log.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let folder: string;
let database: TestDatabase;
let app: NewsApp;
let cursor: string;
beforeAll(async () => {
  // Inside the repository, so that programs can import its packages by name.
  await mkdir(join(root, '.data'), { recursive: true });
  folder = await mkdtemp(join(root, '.data', 'samples-'));
  const daybook = join(folder, 'daybook');
  await writeFile(
    daybook,
    `#!/bin/sh\nexec '${process.execPath}' '${root}packages/cli/src/bin/daybook.ts' "$@"\n`,
  );
  await chmod(daybook, 0o755);
  const clock = createTestClock('2026-11-15T12:00:00.000Z');
  database = await createTestDatabase();
  const factory = createRecordFactory({ database: database.database, clock });
  const itemId = await factory.publishSelected({ title: '新模型', category: 'paper' });
  const contents = {
    headline: '新模型',
    overview: 'An overview.',
    headlineCites: [],
    overviewCites: [],
    sections: [{ key: 'all', label: 'All', itemIds: [itemId] }],
    flashes: [],
  };
  valueOf(await factory.publisher.issueEdition({ kind: 'daily', period: '2026-11-15', contents }));
  const keys = await logKeyFile.generateLogKey('daybook.example/log');
  await sequenceLog(database.database, await logKeyFile.parseLogKeys(keys));
  app = await startNewsApp({ database, clock });
  const snapshot = await app.get('/api/v1/selected/snapshot?limit=1');
  ({ cursor } = JSON.parse(snapshot.text) as { cursor: string });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

const runDocument = (document: string, language: 'sh' | 'ts'): Promise<readonly string[]> => {
  const url = `http://127.0.0.1:${app.port}`;
  const environment = {
    ...process.env,
    DAYBOOK_URL: url,
    CURSOR: cursor,
    HOME: folder,
    PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  return runSamples(join(root, document), language, { url, folder, environment });
};

test('the programs of the client’s README run, and its query finds items in its mirror', async () => {
  expect(await runDocument('packages/client/README.md', 'ts')).toEqual([
    '',
    '',
    expect.stringContaining('entries; save'),
    '1 items, exact\ntrue 1\n',
  ]);
  const samples = await readSamples(join(root, 'packages/client/README.md'));
  const query = samples.find(({ language }) => language === 'sql');
  const mirror = new DatabaseSync(join(folder, 'news.db'), { readOnly: true });
  expect(mirror.prepare(query?.text ?? '').all()).toMatchObject([{ title: '新模型' }]);
  mirror.close();
});

test('the program of the README of @daybook/mcp runs', async () => {
  expect(await runDocument('packages/mcp/README.md', 'ts')).toEqual(['']);
});

test('the program of the README of @daybook/grounding prints what its comments say', async () => {
  const [printed] = await runDocument('packages/grounding/README.md', 'ts');
  expect(printed).toBe("[]\n[ { kind: 'number', text: '2.1 billion' } ]\n");
});

test('the commands of the README of @daybook/cli run', async () => {
  const [printed] = await runDocument('packages/cli/README.md', 'sh');
  expect(printed).toContain('新模型');
});

test.each(['following', 'json'])('the requests in %s.md of the skill succeed', async (name) => {
  const [printed = ''] = await runDocument(`skills/daybook/references/${name}.md`, 'sh');
  expect(printed).toContain('"schemaVersion":1');
  expect(printed).not.toContain('"code":');
});
