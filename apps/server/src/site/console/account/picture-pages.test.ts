import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { createJpeg, createPng, jpegSegment } from '../../../../test/pictures.ts';
import { initialsOf } from '../person-picture.ts';

let stage: TestAccess;
let acme: TestOrganization;
let member: TestMember;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true });
  acme = await stage.createOrganization();
  member = await acme.addMember('member');
});
afterAll(() => stage.stop());

const path = '/account/picture';

/** A form with files as a browser sends it. */
async function sendFile(cookie: string, parts: FormData): Promise<ReturnType<typeof ask>> {
  const { headers, body } = await encoded(parts);
  return ask(stage.app.port, path, {
    method: 'POST',
    body,
    headers: { ...headers, 'sec-fetch-site': 'same-origin', cookie },
  });
}

async function encoded(parts: FormData) {
  const request = new Request('http://localhost/', { method: 'POST', body: parts });
  const type = request.headers.get('content-type') ?? '';
  return { headers: { 'content-type': type }, body: Buffer.from(await request.arrayBuffer()) };
}

function partsOf(file: Buffer | string, field = 'picture', name = 'me.html'): FormData {
  const parts = new FormData();
  if (typeof file === 'string') parts.set(field, file);
  else parts.set(field, new Blob([new Uint8Array(file)], { type: 'text/html' }), name);
  return parts;
}

const addressIn = (text: string): string => /src="(\/pictures\/[0-9a-f-]{36})"/.exec(text)?.[1] ?? '';

async function withPicture(person: TestMember, file = createPng()) {
  const cookie = await signInForCookie(stage, person);
  const saved = await sendFile(cookie, partsOf(file));
  expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('Picture saved.')]);
  return { cookie, address: addressIn(saved.text) };
}

describe('200', () => {
  test('a picture is shown on the account, in the head and among the members, with its media type', async () => {
    const plain = createJpeg();
    const taken = jpegSegment(0xe1, Buffer.from('Exif\0\0 at home'));
    const { cookie, address } = await withPicture(member, createJpeg({ before: [taken] }));
    const account = await openPage(stage, '/account', cookie);
    // In the sidebar, in the bar of phones, and on the page.
    expect(account.text.match(new RegExp(`src="${address}"`, 'g'))).toHaveLength(3);
    const ownerCookie = await signInForCookie(stage, acme.owner);
    const members = await openPage(stage, `/platform/${acme.key}/members`, ownerCookie);
    expect(members.text).toContain(`src="${address}"`);
    expect(members.text).toMatch(/class="picture initials small" aria-hidden="true">\p{L}/u);
    const picture = await openPage(stage, address, ownerCookie);
    expect([picture.status, picture.body.equals(plain)]).toEqual([200, true]);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      etag: `"${address.split('/').at(-1) ?? ''}"`,
    });
  });

  test('a new picture has a new address, and the old one is 404; after removal, initials are shown', async () => {
    const { cookie, address } = await withPicture(member);
    const { address: next } = await withPicture(member, createPng({ width: 3 }));
    expect(next).not.toBe(address);
    expect((await openPage(stage, address, cookie)).status).toBe(404);
    const removed = await sendForm(stage, `${path}/remove`, {}, { cookie });
    expect([removed.status, addressIn(removed.text)]).toEqual([200, '']);
    expect(removed.text).toContain('class="picture initials large"');
    expect((await openPage(stage, next, cookie)).status).toBe(404);
    const activity = (await openPage(stage, '/account/activity', cookie)).text;
    expect(activity).toMatch(/You removed your picture[^]*You changed your picture/);
  });
});

describe('304', () => {
  test('a browser that has the picture gets no body', async () => {
    const { cookie, address } = await withPicture(member);
    const { etag = '' } = (await openPage(stage, address, cookie)).headers;
    const again = await ask(stage.app.port, address, { headers: { cookie, 'if-none-match': etag } });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
  });
});

describe('303', () => {
  test('a visitor without a session is sent to sign-in, and nothing is stored', async () => {
    const answer = await sendFile('', partsOf(createPng()));
    expect([answer.status, answer.headers.location]).toEqual([303, '/auth/signin']);
  });
});

describe('400', () => {
  test.each<[string, () => FormData, string]>([
    ['no file', () => new FormData(), 'Choose a file'],
    ['an empty file', () => partsOf(Buffer.alloc(0)), 'Choose a file'],
    [
      'another format',
      () => partsOf(Buffer.from('<svg/>'), 'picture', 'me.png'),
      'PNG, JPEG or WebP format; choose',
    ],
    ['too many pixels', () => partsOf(createPng({ width: 2_000 })), 'wider or higher than 1024 pixels'],
    ['too many bytes', () => partsOf(Buffer.alloc(300 * 1024)), 'larger than 256 KB'],
  ])('%s is reported beside the field, and the old picture stays', async (_what, parts, sentence) => {
    const { cookie, address } = await withPicture(member);
    const refused = await sendFile(cookie, parts());
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(new RegExp(`id="picture-fault">[^<]*${sentence}`));
    expect(addressIn(refused.text)).toBe(address);
  });

  test('refuses text instead of a file, an unknown field, and a body that is not a form', async () => {
    const cookie = await signInForCookie(stage, member);
    for (const parts of [partsOf('text'), partsOf(createPng(), 'other')])
      expect((await sendFile(cookie, parts)).status).toBe(400);
    const headers = {
      'content-type': 'multipart/form-data; boundary=x',
      'sec-fetch-site': 'same-origin',
      cookie,
    };
    const broken = await ask(stage.app.port, path, { method: 'POST', body: '--y\r\n', headers });
    expect(broken.status).toBe(400);
  });
});

describe('404', () => {
  test('a picture is visible only while the viewer shares an organization with its owner', async () => {
    const leaving = await acme.addMember('viewer');
    const other = await stage.createOrganization();
    const { address, cookie } = await withPicture(leaving);
    const [ownerCookie, strangerCookie] = [
      await signInForCookie(stage, acme.owner),
      await signInForCookie(stage, other.owner),
    ];
    const statuses = async () => {
      const found = [];
      for (const one of [cookie, ownerCookie, strangerCookie, undefined])
        found.push((await openPage(stage, address, one)).status);
      return found;
    };
    expect(await statuses()).toEqual([200, 200, 404, 404]);
    const removal = `/dm/api/core/rbac/members/${leaving.username}?platform_key=${acme.key}`;
    expect((await stage.send('DELETE', removal, acme.owner.headers)).status).toBe(204);
    expect(await statuses()).toEqual([200, 404, 404, 404]);
  });
});

test('initials are those of the first and the last word, in any script', () => {
  expect(['Ann Example', 'ann b. de example', 'Ann', '安', 'Élodie 安', ''].map(initialsOf)).toEqual([
    'AE',
    'AE',
    'A',
    '安',
    'É安',
    '',
  ]);
});
