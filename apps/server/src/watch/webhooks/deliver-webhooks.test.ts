import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { valueOf } from '../../../test/factories/record-factory.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { TestReader } from '../../../test/watch.ts';
import { startTestWatch } from '../../../test/watch.ts';
import { createPostOnce } from '../../foundation/outbound/post-once.ts';
import { removeEndedAddresses } from '../watch-housekeeping-store.ts';
import { outcomeOf } from './deliver-webhooks.ts';

let stage: Awaited<ReturnType<typeof startTestWatch>>;
let reader: TestReader;
beforeAll(async () => {
  stage = await startTestWatch();
});
beforeEach(async () => {
  reader = await stage.newReader();
  stage.receiver.posts.length = 0;
  stage.receiver.answer.status = 204;
  await stage.database.asSuperuser('TRUNCATE watch.delivery');
});
afterAll(() => stage.stop());

const address = 'https://hooks.example/team?key=very-secret';

async function newWebhook(word: string, format = 'generic') {
  const id = await reader.save({ q: word }, { name: `${word} news` });
  const path = `/api/v1/saved-searches/${id}/webhooks`;
  const answer = await reader.call('POST', path, { format, address });
  expect(answer.status).toBe(201);
  return { id, path, webhook: answer.json() as { id: string; secret: string | null; host: string } };
}
async function publish(title: string) {
  const id = await stage.factory.publish({ title });
  await stage.match();
  return id;
}

describe('a generic webhook', () => {
  test('gets each match once, signed as Standard Webhooks describes', async () => {
    const { webhook } = await newWebhook('quasar');
    await publish('A quasar');
    await stage.deliver();
    await stage.deliver();
    const [post, ...more] = stage.receiver.posts;
    expect([more, webhook.host]).toEqual([[], 'hooks.example']);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = post?.headers ?? {};
    const key = Buffer.from(String(webhook.secret).slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${post?.body}`)
      .digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect(JSON.parse(post?.body ?? '')).toMatchObject({
      id,
      type: 'match',
      search: { name: 'quasar news' },
      item: { title: 'A quasar' },
    });
  });

  test('is tried again with the same id after a failure, later and later', async () => {
    const { path } = await newWebhook('pulsar');
    stage.receiver.answer.status = 500;
    await publish('A pulsar');
    await stage.deliver();
    await stage.deliver();
    expect(stage.receiver.posts).toHaveLength(1);
    expect((await reader.call('GET', path)).json()).toMatchObject([{ failingSince: expect.any(String) }]);
    stage.clock.advance({ minutes: 1 });
    stage.receiver.answer.status = 200;
    await stage.deliver();
    const ids = stage.receiver.posts.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    expect((await reader.call('GET', path)).json()).toMatchObject([
      { failingSince: null, lastDeliveredAt: expect.any(String) },
    ]);
  });

  test('ends with the API key that created it, also for deliveries that wait', async () => {
    const { path } = await newWebhook('meteor');
    stage.receiver.answer.status = 500;
    await publish('A meteor');
    await stage.deliver();
    await reader.revokeKey();
    await publish('Another meteor');
    stage.clock.advance({ minutes: 1 });
    await stage.deliver();
    expect(stage.receiver.posts).toHaveLength(1);
    const rows = await stage.database.asSuperuser('SELECT state FROM watch.delivery');
    expect(rows).toEqual([{ state: 'cancelled' }]);
    const listed = await stage.get(path, reader.bearer);
    expect([listed.status, listed.json()]).toEqual([200, []]);
    await removeEndedAddresses(stage.identity.database);
    expect(await stage.database.asSuperuser('SELECT id FROM watch.delivery')).toEqual([]);
  });

  test('is disabled when its receiver says that it is gone, and then gets nothing more', async () => {
    const { path } = await newWebhook('comet');
    stage.receiver.answer.status = 410;
    await publish('A comet');
    await stage.deliver();
    expect((await reader.call('GET', path)).json()).toMatchObject([{ disabledAt: expect.any(String) }]);
    await publish('Another comet');
    stage.clock.advance({ days: 1 });
    await stage.deliver();
    expect(stage.receiver.posts).toHaveLength(1);
  });

  test('gets no item that was withdrawn, and nothing after it or its search was deleted', async () => {
    const { id, path, webhook } = await newWebhook('nebula');
    const item = await publish('A nebula');
    valueOf(await stage.factory.publisher.withdrawItem({ itemId: item }));
    await stage.deliver();
    await publish('Another nebula');
    expect((await reader.call('DELETE', `${path}/${webhook.id}`)).status).toBe(204);
    await stage.deliver();
    await reader.call('DELETE', `/api/v1/saved-searches/${id}`);
    expect(stage.receiver.posts).toEqual([]);
  });

  test('gets a delivery again that a dead worker had claimed', async () => {
    await newWebhook('eclipse');
    await publish('An eclipse');
    await stage.database.asSuperuser("UPDATE watch.delivery SET state = 'sending', claimed_by = 999999");
    await stage.deliver();
    expect(stage.receiver.posts).toHaveLength(1);
  });
});

describe('messages', () => {
  const hostile = 'Ping <!channel> *@everyone* [x](https://evil.example) & <b>';

  test('Slack gets text in which titles are no links, mentions or commands', async () => {
    await newWebhook('slacking', 'slack');
    await publish(`Slacking ${hostile}`);
    await stage.deliver();
    const { text } = JSON.parse(stage.receiver.posts[0]?.body ?? '') as { text: string };
    expect(text).toContain('&lt;!channel&gt;');
    expect(text.match(/<[^>]*>/gu)).toHaveLength(1);
    expect(stage.receiver.posts[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  test('Discord gets an embed that mentions no one and has no further links', async () => {
    await newWebhook('discording', 'discord');
    await publish(`Discording ${hostile}`);
    await stage.deliver();
    const { embeds, allowed_mentions: mentions } = JSON.parse(stage.receiver.posts[0]?.body ?? '') as {
      embeds: { title: string }[];
      allowed_mentions: unknown;
    };
    expect(mentions).toEqual({ parse: [] });
    expect(embeds[0]?.title).toContain(String.raw`\[x\]\(https\:`);
  });
});

describe('addresses', () => {
  test.each([
    'http://hooks.example/x',
    'https://u:p@hooks.example/',
    'ftp://hooks.example',
    'hooks.example',
    '',
  ])('refuses %s', async (wrong) => {
    const id = await reader.save({ q: 'address' });
    const body = { format: 'slack', address: wrong };
    expectProblem(
      await reader.call('POST', `/api/v1/saved-searches/${id}/webhooks`, body),
      400,
      'invalid_request',
    );
  });

  test.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
  ])('never connects to %s', async (target) => {
    const post = createPostOnce({ examplePort: null });
    const outcome = await post({ url: new URL(target), headers: {}, body: '', deadlineMs: 2_000 });
    expect(outcome).toEqual({ kind: 'failed', reason: 'forbidden address' });
  });

  test('never connects to a name that leads to a private network', async () => {
    const post = createPostOnce({ examplePort: null, resolve: () => Promise.resolve(['192.168.1.1']) });
    const outcome = await post({
      url: new URL('https://public.test/'),
      headers: {},
      body: '',
      deadlineMs: 2_000,
    });
    expect(outcome).toEqual({ kind: 'failed', reason: 'forbidden address' });
  });

  test('the tables reveal neither address nor secret, only the host', async () => {
    const { webhook } = await newWebhook('sealing');
    const [row] = await stage.database.asSuperuser(
      'SELECT string_agg(w::text, $1) AS text FROM watch.webhook w',
      [' '],
    );
    const text = String(row?.['text']);
    expect([
      text.includes('hooks.example'),
      text.includes('very-secret'),
      text.includes(String(webhook.secret)),
    ]).toEqual([true, false, false]);
    expect(text).not.toContain(Buffer.from('very-secret').toString('hex'));
  });

  test('a search has at most five webhooks', async () => {
    const { path } = await newWebhook('many');
    const body = { format: 'generic', address };
    for (let made = 1; made < 5; made += 1) expect((await reader.call('POST', path, body)).status).toBe(201);
    expectProblem(await reader.call('POST', path, body), 409, 'conflict');
  });
});

test.each([
  [{ kind: 'answered', status: 200, retryAfterSeconds: null }, 0, { state: 'delivered', problem: null }],
  [{ kind: 'answered', status: 302, retryAfterSeconds: null }, 6, { state: 'failed', problem: 'status 302' }],
  [{ kind: 'failed', reason: 'no response' }, 5, { state: 'waiting', inMinutes: 720 }],
  [{ kind: 'answered', status: 429, retryAfterSeconds: 600 }, 0, { state: 'waiting', inMinutes: 10 }],
  [{ kind: 'answered', status: 503, retryAfterSeconds: 999_999 }, 0, { state: 'waiting', inMinutes: 60 }],
] as const)('%j after %i attempts is %j', (outcome, attempts, expected) => {
  const found = outcomeOf(outcome, attempts, 0n as never);
  const inMinutes = found.state === 'waiting' ? Number(found.dueAt / 60_000_000n) : undefined;
  expect({ ...found, inMinutes }).toMatchObject(expected);
});
