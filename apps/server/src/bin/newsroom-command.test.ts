import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, valueOf } from '../../test/factories/record-factory.ts';
import type { Id } from '../foundation/ids.ts';
import { UsageError } from './command-line.ts';
import { run } from './newsroom-command.ts';

const clock = createTestClock('2026-11-15T08:00:00.123Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterAll(() => store.drop());
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', store.urls.application);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The output of the command and its exit code. */
async function say(...words: readonly string[]): Promise<{ readonly said: string; readonly code: unknown }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const before = process.exitCode;
  try {
    await run(words);
    return { said: log.mock.calls.flat().join('\n'), code: process.exitCode };
  } finally {
    process.exitCode = before;
    log.mockRestore();
  }
}

const publish = (sourceName = 'The Wire'): Promise<Id<'item'>> => record.publish({ sourceName });

async function publishTwo(): Promise<readonly [Id<'item'>, Id<'item'>]> {
  return [await publish('One'), await publish('Two')];
}

describe('replay ranking', () => {
  test('reports for a time or an id whether the replayed ranking is byte-identical', async () => {
    const itemIds = await publishTwo();
    const items = itemIds.map((itemId, at) => ({
      itemId,
      owner: `owner ${at}`,
      sourceName: `Source ${at}`,
      firstParty: false,
      weight: 1,
      reportedAt: clock.now(),
    }));
    const published = await record.publisher.publishRanking({
      candidates: [{ itemId: itemIds[0], items }],
    });
    const { rankingId } = valueOf(published);
    const same = { kind: 'ranking', rankedAt: '2026-11-15T08:00:00.123000Z', outcome: 'same' };
    for (const name of ['2026-11-15T08:00:00.123Z', '2026-11-15T16:04:59+08:00', rankingId]) {
      const { said, code } = await say('replay', 'ranking', name, '--json');
      expect(JSON.parse(said)).toEqual({ ...same, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(code).toBeUndefined();
    }
    await store.asSuperuser(`UPDATE record.ranking_evidence SET weight = 2 WHERE owner = 'owner 1'`);
    const changed = await say('replay', 'ranking', rankingId);
    expect(changed.said).toContain('the regenerated document is different');
    expect(changed.code).toBe(1);
  });

  test('reports that no ranking exists at a time before the first or without a time', async () => {
    const { said, code } = await say('replay', 'ranking', '2020-01-01T00:00:00Z');
    expect(said).toContain('not found');
    expect(code).toBe(1);
    await expect(say('replay', 'ranking', 'yesterday')).rejects.toThrow('2026-11-15T08:05:00Z');
    await expect(say('replay', 'hourly', '2020-01-01T00:00:00Z')).rejects.toThrow(UsageError);
  });
});

describe('withdraw', () => {
  test('withdraws one item with its reason and explains why it refuses a second withdrawal', async () => {
    const itemId = await publish();
    const { said } = await say('withdraw', itemId, '--reason', ' It was made up. ');
    expect(said).toBe(`withdrawn: ${itemId}`);
    const corrections = await store.asSuperuser('SELECT reason FROM record.correction WHERE subject = $1', [
      itemId,
    ]);
    expect(corrections).toEqual([{ reason: 'It was made up.' }]);
    await expect(say('withdraw', itemId, '--reason', 'Again.')).rejects.toThrow('already withdrawn');
    await expect(say('withdraw', record.ids.next(), '--reason', 'x')).rejects.toThrow('Item not found');
  });

  test('reports missing arguments before it opens a connection', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/nothing');
    const itemId = record.ids.next();
    await expect(say('withdraw', itemId)).rejects.toThrow('--reason');
    await expect(say('withdraw', itemId, '--reason', '  ')).rejects.toThrow('--reason');
    await expect(say('withdraw', 'it', '--reason', 'x')).rejects.toThrow('it is not an id');
    await expect(say('withdraw', '--reason', 'x')).rejects.toThrow(UsageError);
    await expect(say('withdraw', itemId, itemId, '--reason', 'x')).rejects.toThrow(UsageError);
  });
});

describe('correct', () => {
  test('prints what the source does not support, and how to publish it in spite of that', async () => {
    const itemId = await publish();
    const words = ['correct', 'item', itemId, '--title', 'GPT-7 was released', '--reason', 'A better title.'];
    await expect(say(...words)).rejects.toThrow('the text of the source is not stored');
    await expect(say(...words)).rejects.toThrow('--unverified "…"');
    await expect(say(...words, '--unverified', ' ')).rejects.toThrow('--unverified requires a reason');
    const { said } = await say(...words, '--unverified', 'Seen by the editor.');
    expect(said).toBe(`corrected: ${itemId}`);
    const corrections = await store.asSuperuser('SELECT reason FROM record.correction WHERE subject = $1', [
      itemId,
    ]);
    expect(corrections).toEqual([
      { reason: 'A better title. Not verified against the source: Seen by the editor.' },
    ]);
  });
});

describe('split', () => {
  test('moves the items into a new story and prints its id', async () => {
    const itemIds = await publishTwo();
    const { storyId } = valueOf(await record.publisher.openStory({ title: 'One event', itemIds }));
    const [, second] = itemIds;
    const words = ['--title', ' Another event ', '--reason', 'Two events.'];
    const { said } = await say('split', storyId, second, ...words);
    const stories = await store.asSuperuser(
      'SELECT story.id, story.title FROM record.item JOIN record.story ON story.id = story_id WHERE item.id = $1',
      [second],
    );
    expect(stories).toEqual([{ id: said.replace('split off: story ', ''), title: 'Another event' }]);
    await expect(say('split', storyId, second, ...words)).rejects.toThrow('not all of them');
    await expect(say('split', record.ids.next(), second, ...words)).rejects.toThrow('Story not found.');
  });

  test('reports missing arguments before it opens a connection', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/nothing');
    const [storyId, itemId] = [record.ids.next(), record.ids.next()];
    const reason = ['--reason', 'Two events.'];
    await expect(say('split', storyId, itemId, '--title', 'T')).rejects.toThrow('--reason');
    await expect(say('split', storyId, itemId, ...reason)).rejects.toThrow('--title');
    await expect(say('split', storyId, itemId, '--title', ' ', ...reason)).rejects.toThrow('1 to 300');
    await expect(say('split', storyId, '--title', 'T', ...reason)).rejects.toThrow(UsageError);
    await expect(say('split', storyId, 'it', '--title', 'T', ...reason)).rejects.toThrow('not an id');
  });
});

describe('unpublished entries', () => {
  /** An entry of a source that nothing polls. */
  async function land(outcome: string | null): Promise<string> {
    const [id, sourceId] = [record.ids.next<'item'>(), record.ids.next<'source'>()];
    await store.asSuperuser(
      `WITH site AS (INSERT INTO newsroom.domain (name, due_at) VALUES ($1 || '.example', now()) RETURNING name),
       source AS (INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form,
           domain, created_at, state, due_at)
         SELECT $1::uuid, 'Lab', 'Lab', false, 2, 'editorial', 'https://' || name, '{"kind": "feed"}', name, now(),
           'active', now() FROM site RETURNING id)
       INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import, outcome,
         outcome_reason, outcome_at)
       SELECT $2::uuid, id, 'https://lab.example/1', 'Lab opens', '', now() - interval '1 hour', false, $3::text,
         CASE WHEN $3 IS NULL THEN NULL ELSE 'The reason.' END, CASE WHEN $3 IS NULL THEN NULL ELSE now() END
       FROM source`,
      [sourceId, id, outcome],
    );
    return id;
  }

  test('that are held are listed for review, and accepted or rejected once', async () => {
    expect((await say('review')).said).toBe('Nothing to review.');
    const [first, second] = [await land('held'), await land('held')];
    const { said } = await say('review');
    expect(said).toContain(`held        ${first}  Lab: Lab opens\n    instruction to machines: Lab opens`);
    expect(JSON.parse((await say('review', '--json')).said)).toMatchObject([
      { id: first, state: 'held', removed: ['Lab opens'] },
      { id: second },
    ]);
    const accepted = await say('review', 'accept', first);
    expect(accepted.said).toBe(`accepted: ${first}, published by the next worker`);
    await expect(say('review', 'accept', first)).rejects.toThrow('No open review');
    await expect(say('review', 'reject', second)).rejects.toThrow('--reason');
    const rejected = await say('review', 'reject', second, '--reason', 'Planted.');
    expect(rejected.said).toBe(`rejected: ${second}, not published`);
    expect((await say('review')).said).toBe('Nothing to review.');
    expect((await say('unpublished', 'held')).said).toContain('Planted.');
    await expect(say('review', 'keep', second)).rejects.toThrow(UsageError);
    await store.asSuperuser('DELETE FROM newsroom.entry_review; DELETE FROM newsroom.entry');
  });

  test('are listed with the reason, retried by id or outcome, and fail the verification', async () => {
    expect((await say('unpublished')).said).toBe('Every entry is published.');
    const [waiting, failed, declined] = [await land(null), await land('failed'), await land('declined')];
    const { said } = await say('unpublished');
    expect(said).toContain(`waiting   ${waiting}  Lab: Lab opens`);
    expect(said).toContain(`failed    ${failed}  Lab: Lab opens\n    The reason.`);
    expect(said).not.toContain(declined);
    expect(JSON.parse((await say('unpublished', 'declined', '--json')).said)).toMatchObject([
      { id: declined, state: 'declined', reason: 'The reason.' },
    ]);
    const verified = await say('verify');
    expect(verified.code).toBe(1);
    expect(verified.said).toContain(`✗ published in time`);
    expect(verified.said).toContain(`${failed} The reason.`);
    expect((await say('retry', 'failed')).said).toBe('1 entry will be published by the next worker.');
    expect((await say('retry', declined)).said).toBe('1 entry will be published by the next worker.');
    expect((await say('retry', declined)).said).toContain('Nothing to retry');
    expect(JSON.parse((await say('unpublished', 'waiting', '--json')).said)).toHaveLength(3);
    await expect(say('retry', 'everything')).rejects.toThrow('Use an entry’s id or one of: failed');
  });
});
