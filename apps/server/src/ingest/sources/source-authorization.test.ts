import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import { createSecretBox } from '../../foundation/secret-box.ts';
import { createSourceDesk } from '../source-desk.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
const secretBox = createSecretBox([randomBytes(32).toString('hex')]);
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

const feed =
  '<rss version="2.0"><channel><title>Wire</title><item><guid>1</guid><title>One</title></item></channel></rss>';

/** A publisher that requires credentials and redirects /moved to another host. */
async function openNewsroom(box: SecretBox | null) {
  const asked: string[] = [];
  const publisher = await startPublisher(({ headers, url }, response) => {
    asked.push(`${headers.host} ${headers.authorization ?? 'nothing'}`);
    if (url === '/moved') response.writeHead(301, { location: 'http://elsewhere.example/feed' }).end();
    else if (headers.host === 'elsewhere.example' || headers.authorization !== undefined) response.end(feed);
    else response.writeHead(401).end();
  });
  const newsroom = createTestNewsroom(store, clock, publisher.fetcher, { secretBox: box });
  return { asked, ...newsroom, desk: createSourceDesk(newsroom.deskDeps) };
}

const signIn = { scheme: 'basic', user: 'daybook', password: 'pässword: 1' } as const;
const header = `Basic ${Buffer.from('daybook:pässword: 1').toString('base64')}`;

describe('a source behind a password', () => {
  test('is requested with the password, which the database stores sealed', async () => {
    const { add, poll, asked, desk } = await openNewsroom(secretBox);
    const url = 'http://locked.example/feed';
    const source = await add(url, { sealedAuthorization: desk.sealSignIn(url, signIn) });
    expect(await poll(source)).toMatchObject({ isAnswered: true, landed: 1 });
    expect(asked).toEqual([`locked.example ${header}`]);
    const rows = await store.asSuperuser(
      `SELECT coalesce(authorization_sealed::text, '') || row_to_json(source)::text AS stored FROM newsroom.source`,
    );
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('daybook:').toString('base64').slice(0, 8));
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(header).toString('hex'));
  });

  test('is requested with a bearer token', async () => {
    const { add, poll, asked, desk } = await openNewsroom(secretBox);
    const url = 'http://token.example/feed';
    const sealedAuthorization = desk.sealSignIn(url, { scheme: 'bearer', token: 'abc.def' });
    await poll(await add(url, { sealedAuthorization }));
    expect(asked).toEqual(['token.example Bearer abc.def']);
  });

  test('does not send the password to another host and does not adopt its address', async () => {
    const { add, poll, asked, stored, desk } = await openNewsroom(secretBox);
    const url = 'http://moving.example/moved';
    const source = await add(url, { sealedAuthorization: desk.sealSignIn(url, signIn) });
    for (let polls = 0; polls < 11; polls += 1) {
      await poll(source);
      clock.advance({ hours: 8 });
    }
    expect((await stored(source.id)).feedUrl).toBe(url);
    expect(new Set(asked)).toEqual(new Set([`moving.example ${header}`, 'elsewhere.example nothing']));
  });

  test('fails and is retried if the key that sealed the password is missing', async () => {
    const { add, desk } = await openNewsroom(secretBox);
    const url = 'http://sealed.example/feed';
    const source = await add(url, { sealedAuthorization: desk.sealSignIn(url, signIn) });
    const other = createSecretBox([randomBytes(32).toString('hex')]);
    for (const box of [null, other]) {
      const { poll, asked } = await openNewsroom(box);
      expect((await poll(source)).outcome).toContain('unusable password');
      expect(asked).toEqual([]);
    }
  });

  test('cannot use a sealed password that was copied from another host', async () => {
    const { add, poll, desk } = await openNewsroom(secretBox);
    const sealedAuthorization = desk.sealSignIn('http://one.example/feed', signIn);
    const report = await poll(await add('http://attacker.example/feed', { sealedAuthorization }));
    expect(report.outcome).toContain('unusable password');
  });

  test.each([
    ['over plain http', 'http://lab.invalid/feed', signIn, 'https addresses only'],
    ['with a colon in the user name', 'https://lab.example/', { ...signIn, user: 'a:b' }, 'no header'],
    ['with a line break', 'https://lab.example/', { scheme: 'bearer', token: 'a\r\nb: c' }, 'no header'],
    [
      'beyond 2,000 characters',
      'https://lab.example/',
      { scheme: 'bearer', token: 'a'.repeat(2_001) },
      'no header',
    ],
  ] as const)('cannot be added %s', async (_, url, given, message) => {
    const { desk } = await openNewsroom(secretBox);
    expect(() => desk.sealSignIn(url, given)).toThrow(message);
  });

  test('cannot be added without a key to seal the password', async () => {
    const { desk } = await openNewsroom(null);
    expect(() => desk.sealSignIn('https://lab.example/feed', signIn)).toThrow('DAYBOOK_SECRET_KEY');
  });
});
