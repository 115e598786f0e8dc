import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isConsistent, parseVerifierKey, TileTree, verifyCheckpoint } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import { verifyEpochStatement } from '@daybook/client/log/epoch';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory } from '../../test/factories/record-factory.ts';
import { sequenceLog } from '../../test/sequence-log.ts';
import { tilesOf } from '../record/log/tile-store.ts';
import { readLogHead } from '../record/reading/log-reading-store.ts';
import { logKeyFile, readLogSigner } from '../record/wiring.ts';
import { renameLog } from './start-log-epoch.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let folder: string;
let keyFile: string;
beforeEach(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
  folder = mkdtempSync(join(tmpdir(), 'daybook-epoch-'));
  keyFile = join(folder, 'log.key');
  writeFileSync(keyFile, await logKeyFile.generateLogKey('news.example/log'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await store.drop();
});

const rename = () => renameLog({ database: store.database, clock }, keyFile);
const sequence = async () =>
  sequenceLog(store.database, await readLogSigner({ keyFile, stateFile: `${keyFile}.signed` }));
const presentKeys = async (): Promise<readonly VerifierKey[]> => {
  const { verifierKeys } = await logKeyFile.parseLogKeys(readFileSync(keyFile, 'utf8'));
  return (await Promise.all(verifierKeys.map(parseVerifierKey))) as VerifierKey[];
};

test('a new epoch is stated by both keys, begins with the same leaves, and signs under its own name', async () => {
  const logKeys = await presentKeys();
  await record.publish();
  await record.publish();
  await sequence();
  const renamed = await rename();
  if (typeof renamed === 'string') throw new Error(renamed);
  const stated = await verifyEpochStatement(renamed.statement, { logKeys });
  expect(stated).toMatchObject({
    from: { origin: 'news.example/log', size: 2 },
    at: '2026-11-15T08:00:00.000Z',
  });
  expect(stated?.to.name).toBe('news.example/log/2');
  await record.publish();
  await sequence();
  const { epoch, checkpoint } = await readLogHead(store.database);
  expect(epoch).toBe(2);
  const signed = await verifyCheckpoint(checkpoint ?? '', { logKeys: [stated!.to] });
  const { size, root } = signed!.checkpoint;
  const proof = await new TileTree(size, tilesOf(store.database)).consistencyProof(2);
  expect(await isConsistent(stated!.from, { size, root }, proof)).toBe(true);
  expect(await verifyCheckpoint(checkpoint ?? '', { logKeys })).toBeNull();
});

test('a statement that another key signed, or that was changed, is not valid', async () => {
  const logKeys = await presentKeys();
  await record.publish();
  await sequence();
  const renamed = await rename();
  if (typeof renamed === 'string') throw new Error(renamed);
  const { statement } = renamed;
  const stranger = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('news.example/log'));
  const others = (await Promise.all(stranger.verifierKeys.map(parseVerifierKey))) as VerifierKey[];
  expect(await verifyEpochStatement(statement, { logKeys: others })).toBeNull();
  expect(await verifyEpochStatement(statement.replace('\n1\n', '\n0\n'), { logKeys })).toBeNull();
  const ofOldKeyAlone = statement.replace(/\u{2014} news\.example\/log\/2 .*\n/u, '');
  expect(await verifyEpochStatement(ofOldKeyAlone, { logKeys })).toBeNull();
});

test('begins once: not without a checkpoint, and not again before the next one', async () => {
  expect(await rename()).toBe('unsigned');
  await record.publish();
  await sequence();
  await rename();
  expect(await rename()).toBe('begun');
  await sequence();
  expect(await rename()).toMatchObject({ epoch: 3, origin: 'news.example/log/3' });
});

test('a run that was interrupted after the database named the log after the new key is completed', async () => {
  await record.publish();
  await sequence();
  const earlier = readFileSync(keyFile, 'utf8');
  await rename();
  renameSync(keyFile, `${keyFile}.next-epoch`);
  writeFileSync(keyFile, earlier);
  await expect(sequence()).rejects.toThrow('the database has the log news.example/log/2');
  expect(await rename()).toBe('begun');
  await sequence();
  expect((await readLogHead(store.database)).checkpoint).toMatch(/^news\.example\/log\/2\n/);
});
