import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TileTree, isConsistent, parseVerifierKey } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import type { RecordProof } from '@daybook/client/log/proof';
import { verifyProof } from '@daybook/client/log/proof';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { sequenceLog } from '../../../test/sequence-log.ts';
import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { decide, decided } from '../decision.ts';
import { publishItem } from '../item-decisions/publish-items.ts';
import { readLogHead } from '../reading/log-reading-store.ts';
import { readProof } from '../reading/read-proof.ts';
import type { LoggedKind } from './log-entry.ts';
import type { LogSigner } from './log-keys.ts';
import { addLogKey, generateLogKey, parseLogKeys, retireLogKeys } from './log-keys.ts';
import type { LogFiles } from './log-signer.ts';
import { readLogSigner } from './log-signer.ts';
import { countLogBacklog } from './log-store.ts';
import { createLogSequencing } from './sequence-log.ts';
import { tilesOf } from './tile-store.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let signer: LogSigner;
let logKeys: readonly VerifierKey[];
beforeEach(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
  signer = await parseLogKeys(await generateLogKey('news.example/log'));
  logKeys = await keysOf(signer);
});
afterEach(() => store.drop());

async function keysOf({ verifierKeys }: Pick<LogSigner, 'verifierKeys'>): Promise<readonly VerifierKey[]> {
  return (await Promise.all(verifierKeys.map(parseVerifierKey))) as VerifierKey[];
}

const sequence = (by: LogSigner | null = signer, checkpointEverySeconds = 0): Promise<number> =>
  sequenceLog(store.database, by, checkpointEverySeconds);

async function provenOf(kind: LoggedKind, subject: string): Promise<RecordProof> {
  const outcome = await readProof(store.database, kind, subject);
  if (outcome.state !== 'proven') throw new Error(outcome.state);
  return outcome.proof;
}

async function leaves(): Promise<readonly string[]> {
  const rows = await store.asSuperuser(
    `SELECT concat_ws(' ', kind, action, revision) AS leaf FROM record.log_entry
     WHERE leaf_index IS NOT NULL ORDER BY leaf_index`,
  );
  return rows.map(({ leaf }) => String(leaf));
}

const contentsOf = (itemId: Id<'item'>) => ({
  headline: 'Headline',
  overview: 'Overview',
  headlineCites: [itemId],
  overviewCites: [],
  sections: [{ key: 'all', label: 'All', itemIds: [itemId] }],
  flashes: [],
});

describe('entries', () => {
  test('are written for every public decision, once for each thing that it changes', async () => {
    const { publisher } = record;
    const [one, two] = [await record.publish({ title: 'One' }), await record.publish({ title: 'Two' })];
    const { storyId } = valueOf(await publisher.openStory({ title: 'One', itemIds: [one, two] }));
    const digest = { text: 'x', sentences: [{ text: 'x', cites: [one] }], contradictions: [] };
    valueOf(await publisher.reviseStory({ storyId, changes: { digest } }));
    valueOf(await publisher.selectItem({ itemId: one, reason: 'It matters.' }));
    valueOf(await publisher.issueEdition({ kind: 'daily', period: '2026-11-11', contents: contentsOf(one) }));
    const other = valueOf(await publisher.splitStory({ storyId, itemIds: [two], title: 'Two' })).storyId;
    valueOf(await publisher.mergeStories({ absorbedId: other, survivorId: storyId }));
    const items = [
      { itemId: two, owner: 'a', sourceName: 'a', firstParty: false, weight: 1, reportedAt: clock.now() },
    ];
    valueOf(await publisher.publishRanking({ candidates: [{ itemId: two, items }] }));
    await sequence();
    expect(await leaves()).toEqual([
      'item published 1',
      'item published 1',
      'story opened 1',
      // An item says which story it is in.
      'item revised 2',
      'item revised 2',
      'story revised 2',
      'item revised 3',
      'daily published 1',
      'story split 1',
      'item revised 3',
      'story merged 2',
      'item revised 4',
      'ranking published 1',
    ]);
    valueOf(await publisher.withdrawItem({ itemId: one, reason: 'Retracted.' }));
    await sequence();
    // The digest that cited it and the title that it gave the story change in one entry.
    expect((await leaves()).slice(13)).toEqual([
      'item withdrawn 4',
      'story revised 3',
      'correction published 1',
      'daily revised 2',
    ]);
  });

  test('are not written for refused, repeated and internal decisions', async () => {
    const itemId = await record.publish();
    valueOf(await record.publisher.reviseItem({ itemId, changes: { title: 'A model was released' } }));
    valueOf(await record.publisher.regroupItem({ itemId, groupId: record.ids.next() }));
    await decide({ database: store.database, clock, ids: record.ids }, async (context) => {
      await publishItem(context, record.draft());
      return refused('no');
    });
    await sequence();
    expect(await leaves()).toEqual(['item published 1']);
  });

  test('that depend on each other are in the order of their commits, also if the later transaction began first', async () => {
    const deps = { database: store.database, clock, ids: record.ids };
    const itemId = await record.publish();
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const early = decide(deps, async (context) => {
      await publishItem(context, record.draft({ title: 'Began first' }));
      begun.resolve();
      await released.promise;
      return decided(null);
    });
    await begun.promise;
    valueOf(await record.publisher.reviseItem({ itemId, changes: { title: 'Committed first' } }));
    // The open transaction delays no entry of others.
    expect(await sequence()).toBe(2);
    released.resolve();
    await early;
    expect(await sequence()).toBe(1);
    expect(await leaves()).toEqual(['item published 1', 'item revised 2', 'item published 1']);
  });

  test('of one batch are in their order, also beyond the tenth', async () => {
    const itemId = await record.publish();
    for (let revision = 2; revision <= 12; revision += 1)
      valueOf(await record.publisher.reviseItem({ itemId, changes: { title: `Title ${revision}` } }));
    await sequence();
    const revisions = Array.from({ length: 11 }, (_, at) => `item revised ${at + 2}`);
    expect(await leaves()).toEqual(['item published 1', ...revisions]);
  });

  test('get their places from one worker at a time, and the backlog is counted', async () => {
    await record.publish();
    expect((await countLogBacklog(store.database)).waiting).toBe(1);
    const both = await Promise.all([sequence(), sequence(), sequence()]);
    expect(both.filter((count) => count === 1)).toHaveLength(1);
    expect(await leaves()).toHaveLength(1);
    expect(await countLogBacklog(store.database)).toEqual({ waiting: 0, oldestSeconds: 0, unsigned: 0 });
  });
});

describe('a proof', () => {
  test('verifies what was published, and nothing else', async () => {
    const itemId = await record.publish();
    await record.publish();
    await sequence();
    const proof = await provenOf('item', itemId);
    const subject = { kind: 'item', id: itemId };
    expect(await verifyProof(proof, { logKeys, subject })).toMatchObject({ ok: true });
    const faultOf = async (changed: Partial<RecordProof>, keys = logKeys) => {
      const verified = await verifyProof({ ...proof, ...changed }, { logKeys: keys, subject });
      return verified.ok ? null : verified.fault;
    };
    const body = { ...(proof.body as object), title: 'Another title' };
    expect(await faultOf({ body })).toBe('other_content');
    expect(await faultOf({ salt: '0'.repeat(64) })).toBe('other_content');
    expect(await faultOf({ entry: { ...proof.entry, at: '2026-11-14T08:00:00.000Z' } })).toBe('not_included');
    expect(await faultOf({ leafIndex: 1 })).toBe('not_included');
    expect(await faultOf({ entry: { ...proof.entry, id: 'other' } })).toBe('other_subject');
    const stranger = await parseLogKeys(await generateLogKey('news.example/log'));
    expect(await faultOf({}, await keysOf(stranger))).toBe('unsigned_checkpoint');
  });

  test('of an item whose text was changed in the database does not verify', async () => {
    const itemId = await record.publish();
    await sequence();
    await store.asSuperuser(`UPDATE record.item SET title = 'Rewritten' WHERE id = $1`, [itemId]);
    expect(await verifyProof(await provenOf('item', itemId), { logKeys })).toEqual({
      ok: false,
      fault: 'other_content',
    });
  });

  test('exists for stories, editions and corrections', async () => {
    const itemId = await record.publish();
    const { storyId } = valueOf(await record.publisher.openStory({ title: 'Story', itemIds: [itemId] }));
    const contents = contentsOf(itemId);
    valueOf(await record.publisher.issueEdition({ kind: 'daily', period: '2026-11-11', contents }));
    const note = 'A name was wrong.';
    valueOf(await record.publisher.correctEdition({ kind: 'daily', period: '2026-11-11', note }));
    await sequence();
    const [correction] = await store.asSuperuser('SELECT id FROM record.correction');
    const subjects = [
      ['story', storyId],
      ['daily', '2026-11-11'],
      ['correction', String(correction?.['id'])],
    ] as const;
    for (const [kind, id] of subjects)
      expect(await verifyProof(await provenOf(kind, id), { logKeys, subject: { kind, id } })).toMatchObject({
        ok: true,
      });
    expect((await provenOf('daily', '2026-11-11')).body).toMatchObject({ revision: 2 });
  });

  test('of a withdrawn item has neither text nor salt, and the database has no salt of it', async () => {
    const itemId = await record.publish({ title: 'Wrong from the beginning' });
    const { storyId } = valueOf(
      await record.publisher.openStory({ title: 'Wrong from the beginning', itemIds: [itemId] }),
    );
    await sequence();
    const before = await provenOf('item', itemId);
    valueOf(await record.publisher.withdrawItem({ itemId, reason: 'Retracted.' }));
    expect(await readProof(store.database, 'item', itemId)).toEqual({ state: 'pending' });
    await sequence();
    const proof = await provenOf('item', itemId);
    expect(proof).toMatchObject({ entry: { action: 'withdrawn', bodyHash: null }, body: null, salt: null });
    expect(await verifyProof(proof, { logKeys })).toMatchObject({ ok: true });
    // A reader who saved the earlier proof can still show what was published.
    expect(await verifyProof(before, { logKeys })).toMatchObject({ ok: true });
    const rows = await store.asSuperuser(
      `SELECT kind FROM record.log_content WHERE was::text LIKE '%Wrong from%' OR salt = decode($1, 'hex')`,
      [before.salt],
    );
    expect(rows).toEqual([]);
    expect((await provenOf('story', storyId)).body).toMatchObject({ title: '' });
  });

  test('waits for a checkpoint, and none exists without a key', async () => {
    const itemId = await record.publish();
    await sequence(null);
    expect(await readProof(store.database, 'item', itemId)).toEqual({ state: 'unsigned' });
    expect(await readProof(store.database, 'item', record.ids.next())).toEqual({ state: 'unlogged' });
    await sequence();
    expect(await readProof(store.database, 'item', itemId)).toMatchObject({ state: 'proven' });
  });
});

describe('checkpoints', () => {
  test('are consistent with each other, across tiles', async () => {
    const heads: { size: number; root: Uint8Array }[] = [];
    for (const count of [1, 255, 1, 300]) {
      const items = Array.from({ length: count }, () => record.draft());
      valueOf(await record.publisher.publishItems({ items }));
      await sequence();
      const { checkpoint, checkpointSize } = await readLogHead(store.database);
      const [, , root = ''] = (checkpoint ?? '').split('\n');
      heads.push({ size: checkpointSize, root: Buffer.from(root, 'base64') });
    }
    expect(heads.map(({ size }) => size)).toEqual([1, 256, 257, 557]);
    const tree = new TileTree(557, tilesOf(store.database));
    for (const [at, second] of heads.entries())
      for (const first of heads.slice(0, at + 1)) {
        const proof = await tree.consistencyProof(first.size, second.size);
        expect(await isConsistent(first, second, proof)).toBe(true);
      }
  });

  test('are signed at most once in their interval, and only if the log has grown', async () => {
    await record.publish();
    await sequence(signer, 60);
    const first = (await readLogHead(store.database)).checkpoint;
    await record.publish();
    await sequence(signer, 60);
    expect(await readLogHead(store.database)).toMatchObject({ checkpoint: first, checkpointSize: 1 });
    await sequence(signer, 0);
    const second = (await readLogHead(store.database)).checkpoint;
    expect(second).not.toBe(first);
    await sequence(await parseLogKeys(await addLogKey(await generateLogKey('news.example/log'))), 0);
    expect((await readLogHead(store.database)).checkpoint).toBe(second);
  });

  test('of a rotation are signed by both keys, and after its end by the new one', async () => {
    const old = await generateLogKey('news.example/log');
    const rotated = await addLogKey(old);
    const finished = await retireLogKeys(rotated);
    const both = await parseLogKeys(rotated);
    const after = await parseLogKeys(finished);
    const [oldKeys, newKeys] = [await keysOf(await parseLogKeys(old)), (await keysOf(both)).slice(0, 1)];
    const itemId = await record.publish();
    await sequence(both);
    const during = await provenOf('item', itemId);
    for (const keys of [oldKeys, newKeys])
      expect(await verifyProof(during, { logKeys: keys })).toMatchObject({ ok: true });
    await record.publish();
    await sequence(after);
    const later = await provenOf('item', itemId);
    expect(await verifyProof(later, { logKeys: newKeys })).toMatchObject({ ok: true });
    expect(await verifyProof(later, { logKeys: oldKeys })).toMatchObject({ ok: false });
    expect(finished.match(/PRIVATE/gu)).toHaveLength(1);
    expect(after.verifierKeys).toEqual(both.verifierKeys);
  });
});

describe('the last checkpoint that a host signed', () => {
  let folder: string;
  let files: LogFiles;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'daybook-log-key-'));
    files = { keyFile: join(folder, 'log.key'), stateFile: join(folder, 'signed') };
    writeFileSync(files.keyFile, await generateLogKey('news.example/log'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('prevents the signature of a database that lost signed entries, until its log has another name', async () => {
    const restored = await createTestDatabase();
    try {
      for (const title of ['One', 'Two']) await record.publish({ title });
      await sequence(await readLogSigner(files));
      const other = createRecordFactory({ database: restored.database, clock });
      const sequenceRestored = async () => sequenceLog(restored.database, await readLogSigner(files));
      // Fewer entries than were signed, then as many, then more. They get their places all the same.
      for (let entries = 1; entries <= 3; entries += 1) {
        await other.publish();
        await expect(sequenceRestored()).rejects.toThrow('2 entries were signed');
        expect((await countLogBacklog(restored.database)).waiting).toBe(0);
      }
      writeFileSync(files.keyFile, await generateLogKey('news.example/log/2'));
      await sequenceRestored();
      expect((await readLogHead(restored.database)).checkpointSize).toBe(3);
    } finally {
      await restored.drop();
    }
  });

  test.each([1, 2])('is a checkpoint of committed places, if commit %i of a run fails', async (failing) => {
    const signerOfHost = await readLogSigner(files);
    const sweep = createLogSequencing({ signer: signerOfHost, checkpointEverySeconds: 0 });
    const run = (failingCommit: number): Promise<void> => {
      let commits = 0;
      return sweep.run({
        epoch: 1,
        signal: new AbortController().signal,
        enqueue: () => Promise.resolve(),
        transaction: (work) =>
          store.database.transaction().execute(async (transaction) => {
            const output = await work(transaction);
            commits += 1;
            if (commits === failingCommit) throw new Error('the connection broke');
            return output;
          }),
      });
    };
    const numbered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const late = store.database.transaction().execute(async (transaction) => {
      await record.publisher.within(transaction, (decisions) => decisions.publishRanking({ candidates: [] }));
      numbered.resolve();
      await released.promise;
    });
    await numbered.promise;
    await record.publish();
    await expect(run(failing)).rejects.toThrow('the connection broke');
    released.resolve();
    await late;
    await run(0);
    expect((await readLogHead(store.database)).checkpointSize).toBe(2);
  });

  test('must be storable: a worker with another folder for it does not start', async () => {
    const stateFile = join(folder, 'missing', 'signed');
    await expect(readLogSigner({ ...files, stateFile })).rejects.toThrow('set DAYBOOK_LOG_STATE_FILE');
    await expect(readLogSigner({ ...files, keyFile: join(folder, 'none') })).rejects.toThrow(
      'the account of the worker must be able to read DAYBOOK_LOG_KEY_FILE',
    );
  });
});

test('a key of another implementation has the verifier key that it published', async () => {
  // The example of the documentation of golang.org/x/mod/sumdb/note.
  const published = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
  const { verifierKeys } = await parseLogKeys(published);
  expect(verifierKeys).toEqual(['PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW']);
});

test.each(['', 'PRIVATE+KEY+name+00000000+AAAA', 'PeterNeumann+c74f20a3+AAAA'])(
  'a key file with %j is refused',
  async (text) => {
    await expect(parseLogKeys(text)).rejects.toThrow('log');
  },
);
