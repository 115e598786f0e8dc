import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import type { EventStream } from '../../../../test/event-stream.ts';
import { openEventStream } from '../../../../test/event-stream.ts';
import { createRecordFactory } from '../../../../test/factories/record-factory.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Id } from '../../../foundation/ids.ts';
import { createEditorDesk } from '../../../newsroom/desk/editor-desk.ts';

let stage: TestAccess;
let newsroom: TestOrganization;
let record: ReturnType<typeof createRecordFactory>;
let owner: string;
const open: EventStream[] = [];
beforeAll(async () => {
  stage = await startTestAccess({ pages: true, newsroomOrganization: 'team-1' });
  newsroom = await stage.createOrganization();
  record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  owner = await signInForCookie(stage, newsroom.owner);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => stage.stop());

async function follow(
  query = '',
  cookie = owner,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const stream = await openEventStream(stage.app.port, `/desk/events${query}`, { cookie, ...headers });
  open.push(stream);
  return stream;
}

const desk = () =>
  createEditorDesk({
    database: stage.database.database,
    clock: stage.clock,
    publisher: record.publisher,
    language: 'en',
  });
const select = async (): Promise<Id<'item'>> => {
  const itemId = await record.publish();
  await desk().selectItem({ itemId, reason: 'It matters.' });
  return itemId;
};
const about = (id: string) => (event: { readonly data: Readonly<Record<string, unknown>> }) =>
  event.data['subject'] === `item ${id}`;
/** What the page passes to its script. */
const settingsOf = async (path: string, cookie = owner): Promise<Record<string, unknown>> => {
  const { text } = await openPage(stage, path, cookie);
  const [, settings = '{}'] = /id="desk">([\s\S]*?)<\/script>/.exec(text) ?? [];
  return JSON.parse(settings) as Record<string, unknown>;
};

describe('200', () => {
  test('a decision and a new entry of the queue arrive once, in order, also after a new connection', async () => {
    const stream = await follow();
    expect(stream.status).toBe(200);
    const first = await select();
    const event = await stream.find(about(first));
    expect(event).toMatchObject({ name: 'decision', data: { action: 'select' } });
    stream.close();
    await stream.ended;
    const second = await select();
    await stage.database.asSuperuser(
      `INSERT INTO newsroom.reader_report (id, about, message, at) VALUES ($1, '/', 'Wrong.', now())`,
      [record.ids.next()],
    );
    const third = await select();
    const again = await follow('', owner, { 'last-event-id': event.id });
    await again.find(about(third));
    expect(again.received.map(({ name }) => name)).toEqual(['decision', 'queue', 'decision']);
    expect(again.received[0]?.data['subject']).toBe(`item ${second}`);
    expect(again.received[1]?.data['kind']).toBe('report');
  });

  test('a page receives what happened since it was read, and not what it shows', async () => {
    await select();
    const { start } = await settingsOf('/desk/journal');
    const later = await select();
    const stream = await follow(`?after=${encodeURIComponent(String(start))}`);
    await stream.find(about(later));
    expect(stream.received).toHaveLength(1);
  });

  test('a decision that commits after a later one is not missed', async () => {
    const stream = await follow();
    const [early, late] = [record.ids.next(), record.ids.next()];
    const insert = `INSERT INTO newsroom.reader_report (id, about, message, at) VALUES ('$1', '', 'x', now())`;
    const committed = await stage.database.database.transaction().execute(async (transaction) => {
      await sql.raw(insert.replace('$1', early)).execute(transaction);
      await stage.database.asSuperuser(insert.replace('$1', late), []);
      return early;
    });
    const isOf = (id: string) => (event: { readonly data: Readonly<Record<string, unknown>> }) =>
      event.data['id'] === id;
    await stream.find(isOf(late));
    expect(stream.received.findIndex(isOf(committed))).toBeLessThan(stream.received.findIndex(isOf(late)));
    expect(stream.received.some(isOf(committed))).toBe(true);
  });

  test('a page that was away for more than a day is loaded again', async () => {
    const dayOldMs = Date.now() - 25 * 60 * 60_000;
    const stream = await follow(`?after=${dayOldMs}.100:100:`);
    expect((await stream.find(({ name }) => name === 'reset')).id).toBe('');
    await stream.ended;
  });

  test('other editors of a page learn who is editing, and when that ends', async () => {
    const editor = await newsroom.addMember('admin');
    const cookie = await signInForCookie(stage, editor);
    const itemId = await record.publish();
    const subject = `item ${itemId}`;
    const stream = await follow(`?about=${encodeURIComponent(subject)}`);
    const editing = (state: string) =>
      sendForm(stage, '/desk/presence', { subject, editing: state }, { cookie });
    expect((await editing('1')).status).toBe(204);
    const seen = await stream.find(({ data }) => (data['people'] as string[] | undefined)?.length === 1);
    expect(seen.name).toBe('presence');
    expect((await openPage(stage, `/desk/items/${itemId}`, owner)).text).toContain('is editing this page');
    expect((await openPage(stage, `/desk/items/${itemId}`, cookie)).text).not.toMatch(
      /data-editing\s*>\s*\S+ is editing/,
    );
    await editing('0');
    const count = stream.received.length;
    await stream.find((event) => stream.received.indexOf(event) >= count && event.name === 'presence');
    expect(stream.received.at(-1)?.data['people']).toEqual([]);
  });
});

describe('404', () => {
  test('guests, owners of other organizations and visitors without a session receive nothing', async () => {
    const outsiders = [(await stage.createOrganization()).owner, await newsroom.addMember('guest')];
    for (const outsider of outsiders)
      expect((await follow('', await signInForCookie(stage, outsider))).status).toBe(404);
    expect((await openEventStream(stage.app.port, '/desk/events', {})).status).toBe(404);
  });
});

describe('400', () => {
  test('an unknown start is refused', async () => {
    expect((await follow('?after=1')).status).toBe(400);
  });
});

describe('the stream ends', () => {
  const followAs = async (role: 'viewer') => {
    const member = await newsroom.addMember(role);
    const cookie = await signInForCookie(stage, member);
    const stream = await follow('', cookie);
    expect(stream.status).toBe(200);
    return { member, cookie, stream };
  };

  test('with the session', async () => {
    const { stream, cookie } = await followAs('viewer');
    expect((await sendForm(stage, '/auth/signout', {}, { cookie })).status).toBe(303);
    await stream.ended;
  });

  test('with the membership', async () => {
    const { stream, member } = await followAs('viewer');
    await stage.database.asSuperuser('DELETE FROM identity.organization_membership WHERE account_id = $1', [
      member.id,
    ]);
    expect(await stream.ended).toBeGreaterThan(0);
  });
});
