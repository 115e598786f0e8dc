import { parseVerifierKey, readBundle, tilePath, TileTree, verifyCheckpoint } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import { verifyEpochStatement } from '@daybook/client/log/epoch';
import type { RecordProof } from '@daybook/client/log/proof';
import { differingFields, verifyProof } from '@daybook/client/log/proof';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { logKeyFile, startLogEpoch } from '../../../src/record/wiring.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';
import { sequenceLog } from '../../sequence-log.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
const immutable = 'public, max-age=31536000, s-maxage=31536000, immutable';
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;
let signer: Awaited<ReturnType<typeof logKeyFile.parseLogKeys>>;
let logKeys: readonly VerifierKey[];
beforeEach(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('daybook.example/log'));
  logKeys = (await Promise.all(signer.verifierKeys.map(parseVerifierKey))) as VerifierKey[];
  app = await startNewsApp({ database, clock });
});
afterEach(async () => {
  await app.stop();
  await database.drop();
});

async function proofAt(path: string): Promise<RecordProof> {
  const answer = await app.get(`/api/v1/${path}/proof`);
  expect(answer.status).toBe(200);
  return answer.json()['proof'] as RecordProof;
}

test('a reader verifies an item with its proof, and with the tiles alone', async () => {
  const ids: Id<'item'>[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await factory.publish({ title: `Item ${count}` }));
  await sequenceLog(database.database, signer);
  const [, id = ''] = ids;
  const proof = await proofAt(`items/${id}`);
  expect(await verifyProof(proof, { logKeys, subject: { kind: 'item', id } })).toMatchObject({ ok: true });
  const { item } = (await app.get(`/api/v1/items/${id}`)).json();
  expect(differingFields(proof.body, item)).toEqual([]);
  const checkpoint = await app.get('/log/checkpoint');
  expect(checkpoint.text).toBe(proof.checkpoint);
  expect(checkpoint.headers['cache-control']).toContain('max-age=10,');
  expect((await app.get('/log/keys')).text).toBe(`${signer.verifierKeys[0]}\n`);
  const signed = await verifyCheckpoint(checkpoint.text, { logKeys });
  const tree = new TileTree(3, async (tile) => (await app.get(`/log/${tilePath(tile)}`)).body);
  expect(Buffer.from(await tree.root())).toEqual(Buffer.from(signed?.checkpoint.root ?? []));
  const bundle = readBundle((await app.get('/log/tile/entries/000.p/3')).body);
  expect(JSON.parse(Buffer.from(bundle?.[1] ?? []).toString())).toEqual(proof.entry);
});

test('tiles never change and may be cached for a year; other addresses of them do not exist', async () => {
  const items = Array.from({ length: 300 }, () => factory.draft());
  valueOf(await factory.publisher.publishItems({ items }));
  await sequenceLog(database.database, signer);
  const full = await app.get('/log/tile/0/000');
  expect(full.headers).toMatchObject({
    'cache-control': immutable,
    'content-type': 'application/octet-stream',
    'x-accel-expires': '31536000',
  });
  expect(full.body).toHaveLength(8_192);
  const partial = await app.get('/log/tile/0/000.p/7');
  expect(partial.body).toEqual(full.body.subarray(0, 224));
  expect((await app.get('/log/tile/1/000.p/1')).body).toHaveLength(32);
  expect((await app.get('/log/tile/entries/001.p/44')).status).toBe(200);
  const unknown = [
    '0/001',
    '0/0',
    '0/000.p/256',
    '0/000.p/0',
    '0/x000/000',
    '8/000',
    'entries/001',
    '2/000.p/1',
    '0/a',
  ];
  for (const path of unknown)
    expect([path, (await app.get(`/log/tile/${path}`)).status]).toEqual([path, 404]);
});

test('a later epoch has its own addresses, and the files of an ended one end with it', async () => {
  for (let count = 0; count < 3; count += 1) await factory.publish();
  await sequenceLog(database.database, signer);
  const keys = await logKeyFile.generateLogKey('daybook.example/log/2');
  const begun = await logKeyFile.parseLogKeys(keys);
  await startLogEpoch({ database: database.database, clock }, { ended: signer, begun });
  await factory.publish();
  await sequenceLog(database.database, begun);
  const { epochs } = (await app.get('/log/epochs')).json() as { epochs: { statement: string | null }[] };
  expect(epochs).toMatchObject([
    { epoch: 1, origin: 'daybook.example/log', path: '/log', statement: null, endedAt: 3 },
    { epoch: 2, origin: 'daybook.example/log/2', path: '/log/2', endedAt: null },
  ]);
  expect(await verifyEpochStatement(epochs[1]?.statement ?? '', { logKeys })).toMatchObject({
    from: { size: 3 },
  });
  expect((await app.get('/log/checkpoint')).text).toMatch(/^daybook\.example\/log\n3\n/);
  expect((await app.get('/log/2/checkpoint')).text).toMatch(/^daybook\.example\/log\/2\n4\n/);
  expect((await app.get('/log/2/tile/0/000.p/4')).headers['cache-control']).toBe(immutable);
  const statuses: number[] = [];
  for (const path of [
    'tile/0/000.p/3',
    'tile/0/000.p/4',
    'tile/entries/000.p/4',
    '3/tile/0/000.p/1',
    '3/checkpoint',
    '1/checkpoint',
  ])
    statuses.push((await app.get(`/log/${path}`)).status);
  expect(statuses).toEqual([200, 404, 404, 404, 404, 400]);
});

test('stories, reports and corrections have proofs; unknown ids have none', async () => {
  const id = await factory.publish();
  const { storyId } = valueOf(await factory.publisher.openStory({ title: 'Story', itemIds: [id] }));
  const contents = {
    headline: 'Headline',
    overview: 'Overview',
    headlineCites: [id],
    overviewCites: [],
    sections: [{ key: 'all', label: 'All', itemIds: [id] }],
    flashes: [],
  };
  valueOf(await factory.publisher.issueEdition({ kind: 'daily', period: '2026-11-15', contents }));
  valueOf(
    await factory.publisher.correctItem({ itemId: id, changes: { title: 'Right' }, reason: 'A name.' }),
  );
  await sequenceLog(database.database, signer);
  const corrections = (await app.get('/api/v1/corrections')).json()['corrections'] as { id: string }[];
  const paths = [`stories/${storyId}`, 'dailies/2026-11-15', `corrections/${corrections[0]?.id}`];
  for (const path of paths)
    expect(await verifyProof(await proofAt(path), { logKeys })).toMatchObject({ ok: true });
  expectProblem(await app.get(`/api/v1/items/${storyId}/proof`), 404, 'not_found');
  expectProblem(await app.get('/api/v1/weeklies/2026-W46/proof'), 404, 'not_found');
});

test('a withdrawn item has a proof of its withdrawal without text', async () => {
  const id = await factory.publish({ title: 'Withdrawn words' });
  valueOf(await factory.publisher.withdrawItem({ itemId: id }));
  expectProblem(await app.get(`/api/v1/items/${id}/proof`), 503, 'log_unsigned');
  await factory.publish();
  await sequenceLog(database.database, signer);
  const answer = await app.get(`/api/v1/items/${id}/proof`);
  expect(answer.text).not.toContain('Withdrawn words');
  expect(answer.headers['surrogate-key']).toContain(id);
  const proof = answer.json()['proof'] as RecordProof;
  expect(proof).toMatchObject({ entry: { action: 'withdrawn' }, body: null, salt: null });
  expect(await verifyProof(proof, { logKeys })).toMatchObject({ ok: true });
});

test('an installation without a key serves tiles, and says that it has no checkpoint', async () => {
  const id = await factory.publish();
  await sequenceLog(database.database, null);
  expect((await app.get('/log/tile/0/000.p/1')).status).toBe(200);
  for (const path of ['/log/checkpoint', '/log/keys', `/api/v1/items/${id}/proof`])
    expectProblem(await app.get(path), 503, 'log_unsigned');
  await sequenceLog(database.database, signer);
  valueOf(await factory.publisher.reviseItem({ itemId: id, changes: { title: 'Newer' } }));
  expectProblem(await app.get(`/api/v1/items/${id}/proof`), 503, 'not_in_checkpoint');
});
