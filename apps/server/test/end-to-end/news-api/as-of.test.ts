import { parseVerifierKey } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import { verifyCheckpoint } from '@daybook/client/log';
import type { RecordProof } from '@daybook/client/log/proof';
import { verifyProof } from '@daybook/client/log/proof';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { isoMilliseconds } from '../../../src/foundation/instant.ts';
import { logKeyFile } from '../../../src/record/wiring.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';
import { sequenceLog } from '../../sequence-log.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;
let logKeys: readonly VerifierKey[];
let [one, two]: [Id<'item'>, Id<'item'>] = ['' as Id<'item'>, '' as Id<'item'>];
let storyId: Id<'story'>;
/** The answers at a moment, by path. */
const then = new Map<string, unknown>();
let moment: string;
let earlierCheckpoint: string;

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  const { publisher } = factory;
  const signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('daybook.example/log'));
  logKeys = (await Promise.all(signer.verifierKeys.map(parseVerifierKey))) as VerifierKey[];
  app = await startNewsApp({ database, clock });
  [one, two] = [
    await factory.publishSelected({ title: 'First title' }),
    await factory.publish({ title: 'Second report', sourceName: 'The Post' }),
  ];
  storyId = valueOf(await publisher.openStory({ title: 'First title', itemIds: [one, two] })).storyId;
  const digest = { text: 'Then.', sentences: [{ text: 'Then.', cites: [one] }], contradictions: [] };
  valueOf(await publisher.reviseStory({ storyId, changes: { digest } }));
  const ranked = (itemId: Id<'item'>, name: string) => ({
    itemId,
    owner: `owner of ${name}`,
    sourceName: name,
    firstParty: false,
    weight: 1,
    reportedAt: clock.now(),
  });
  const items = [ranked(one, 'The Wire'), ranked(two, 'The Post')];
  valueOf(await publisher.publishRanking({ candidates: [{ itemId: one, items }] }));
  const contents = {
    headline: 'First title',
    overview: 'Overview',
    headlineCites: [one],
    overviewCites: [],
    sections: [{ key: 'all', label: 'All', itemIds: [one] }],
    flashes: [two],
  };
  valueOf(await publisher.issueEdition({ kind: 'daily', period: '2026-11-15', contents }));
  await sequenceLog(database.database, signer);
  earlierCheckpoint = (await app.get('/log/checkpoint')).text;
  moment = isoMilliseconds(clock.now());
  for (const path of paths()) then.set(path, (await app.get(path)).json());
  clock.advance({ hours: 1 });
  valueOf(await publisher.reviseItem({ itemId: one, changes: { title: 'Another title', score: 80 } }));
  valueOf(await publisher.reviseStory({ storyId, changes: { digest: { ...digest, text: 'Later.' } } }));
  valueOf(
    await publisher.reviseEdition({
      kind: 'daily',
      period: '2026-11-15',
      contents: { ...contents, flashes: [] },
    }),
  );
  valueOf(await publisher.publishRanking({ candidates: [] }));
  await sequenceLog(database.database, signer);
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const paths = () => [
  `/api/v1/items/${one}`,
  `/api/v1/stories/${storyId}`,
  '/api/v1/hot-topics',
  '/api/v1/dailies/2026-11-15',
  '/api/v1/dailies/latest',
];

test('every resource answers with what it said at a moment, and with the proof of it', async () => {
  for (const path of paths()) {
    const { asOf, ...answer } = (await app.get(`${path}?at=${moment}`)).json() as { asOf: object };
    expect([path, answer]).toEqual([path, then.get(path)]);
    expect((await app.get(path)).json()).not.toEqual(then.get(path));
    expect(asOf).toMatchObject({ at: moment, removed: [] });
  }
  const { asOf } = (await app.get(`/api/v1/items/${one}?at=${moment}`)).json() as { asOf: { proof: string } };
  const { proof } = (await app.get(asOf.proof)).json() as { proof: RecordProof };
  expect(await verifyProof(proof, { logKeys, subject: { kind: 'item', id: one } })).toMatchObject({
    ok: true,
    content: 'proven',
  });
  expect(proof.body).toMatchObject({ title: 'First title', selected: true, story: storyId });
});

test('a time that is not one, in the future or before everything has its own answer', async () => {
  const path = `/api/v1/items/${one}?at=`;
  expectProblem(await app.get(`${path}yesterday`), 400, 'invalid_request');
  expectProblem(await app.get(`${path}2030-01-01T00:00:00Z`), 400, 'invalid_request');
  expectProblem(await app.get(`${path}2020-01-01T00:00:00Z`), 404, 'not_found');
});

test('every revision has a proof, and a proof shows that the log continues a checkpoint of the reader', async () => {
  const known = (await verifyCheckpoint(earlierCheckpoint, { logKeys }))!.checkpoint;
  const path = `/api/v1/items/${one}/proof?revision=1&since=${known.size}`;
  const { proof } = (await app.get(path)).json() as { proof: RecordProof };
  expect(await verifyProof(proof, { logKeys, known })).toMatchObject({
    ok: true,
    entry: { revision: 1, action: 'published' },
  });
  const otherRoot = { ...known, root: new Uint8Array(32) };
  const fault = { ok: false, fault: 'not_continued' };
  expect(await verifyProof(proof, { logKeys, known: otherRoot })).toEqual(fault);
  const { consistency, ...without } = proof;
  expect(consistency?.hashes.length).toBeGreaterThan(0);
  expect(await verifyProof(without, { logKeys, known })).toEqual(fault);
  expectProblem(await app.get(`/api/v1/items/${one}/proof?since=10000`), 400, 'invalid_request');
  expectProblem(await app.get(`/api/v1/items/${one}/proof?revision=99`), 404, 'not_found');
});

test('the history lists each revision, and a withdrawal leaves its words in none', async () => {
  const titles = async () => {
    const { revisions } = (await app.get(`/api/v1/items/${one}/history`)).json() as {
      revisions: { content: { title: string } | null }[];
    };
    return revisions.map(({ content }) => content?.title ?? null);
  };
  expect(await titles()).toEqual(['Another title', 'First title', 'First title', 'First title']);
  const history = await app.get(`/api/v1/dailies/2026-11-15/history`);
  expect(history.json()['revisions']).toMatchObject([
    { revision: 2, action: 'revised', correction: null },
    { revision: 1, action: 'published', correction: null },
  ]);
  valueOf(await factory.publisher.withdrawItem({ itemId: one, reason: 'Retracted.' }));
  clock.advance({ minutes: 1 });
  expect(await titles()).toEqual([null, null, null, null, null]);
  for (const path of paths()) {
    const answer = await app.get(`${path}?at=${moment}`);
    expect(answer.text).not.toMatch(/First title|Another title/);
  }
  const gone = await app.get(`/api/v1/items/${one}?at=${moment}`);
  expectProblem(gone, 410, 'withdrawn');
  expect(gone.json()['detail']).toContain('It was published at the requested time.');
  const story = (await app.get(`/api/v1/stories/${storyId}?at=${moment}`)).json();
  expect(story).toMatchObject({
    story: { reportCount: 2, reports: [{ id: two }] },
    asOf: {
      removed: [
        { kind: 'item', id: one, because: 'withdrawn' },
        { kind: 'story', because: 'erased' },
      ],
    },
  });
});
