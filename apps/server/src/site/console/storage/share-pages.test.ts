import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../../test/access.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { ask } from '../../../../test/http-client.ts';
import type { TestStorage } from '../../../../test/storage.ts';
import { startTestStorage } from '../../../../test/storage.ts';

let stage: TestStorage;
let cookie: string;
let viewer: string;
let member: TestMember;
let home: string;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage({ pages: true });
  cookie = await signInForCookie(stage, stage.acme.owner);
  viewer = await signInForCookie(stage, stage.viewer);
  member = await stage.acme.addMember('guest');
  home = `/platform/${stage.acme.key}`;
  project = (await stage.newProject('Field notes')).id;
});
afterAll(() => stage.stop());

type Fields = Readonly<Record<string, string>>;
const open = (path: string, as = cookie) => openPage(stage, path, as);
const send = async (path: string, fields: Fields, as = cookie) => {
  const answer = await sendForm(stage, path, fields, { cookie: as });
  stage.age();
  return answer;
};
const mainOf = (text: string): string => text.slice(text.indexOf('<main'), text.indexOf('</main'));
let made = 0;
const newFile = async (name = `file ${(made += 1)}.txt`): Promise<string> =>
  `files/${(await stage.newFile(project, name, 'the bytes')).id}`;
const newFolder = async (): Promise<string> =>
  `folders/${(await stage.newFolder(project, `folder ${(made += 1)}`)).id}`;
const newGroup = async (name: string): Promise<string> => {
  const json = { platform_key: stage.acme.key, name, users_to_add: [member.username] };
  const { id } = (await stage.send('POST', '/dm/api/core/rbac/groups/', stage.owner, json)).json();
  return `group:${String(id)}`;
};
const statusFor = async (path: string, who = member): Promise<number> =>
  (await stage.send('GET', `/api/v1/${path}`, who.headers)).status;
/** The value of a hidden field of the page. */
const hiddenIn = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';

test('a file, a folder and a project each link to their shares; one is created, changed and ended by forms alone', async () => {
  const things = [await newFile(), await newFolder(), `projects/${project}`];
  for (const thing of things) {
    const page = `${home}/${thing}/share`;
    expect((await open(`${home}/${thing}`)).text).toMatch(
      new RegExp(`href="${page}"[^>]*>(?:<svg[^]*?</svg>)?\\s*Share\\s*<`),
    );
    expect((await open(page)).text).toContain('is not shared directly');
    const shared = await send(page, { who: member.username, level: 'read' });
    expect([shared.status, shared.text]).toEqual([
      200,
      expect.stringContaining(`Shared with <strong>${member.username}</strong>`),
    ]);
    expect(await statusFor(thing)).toBe(200);
    const changed = await send(page, { who: member.username, level: 'manage' });
    expect(changed.text.match(/name="share" value=/g)).toHaveLength(1);
    expect(changed.text).toMatch(/data-column="Access"[^>]*>\s*manage\s*</);
    expect(changed.text).toContain(`Stop sharing with ${member.username}`);
    const ended = await send(`${page}/end`, { share: hiddenIn(changed.text, 'share') });
    expect([ended.status, ended.headers.location]).toEqual([303, page]);
    expect(await statusFor(thing)).toBe(404);
  }
});

test('a change of the level preserves access to earlier versions, which the page shows', async () => {
  const page = `${home}/${await newFile()}/share`;
  const shown = /with earlier versions/;
  expect((await send(page, { who: member.username, level: 'read' })).text).not.toMatch(shown);
  const shared = await send(page, { who: member.username, level: 'read', history: 'yes' });
  expect(shared.text).toMatch(shown);
  const change = /<form[^>]*share"[^>]*>[^]*?name="who" value="[^]*?<\/form>/.exec(shared.text)?.[0] ?? '';
  expect(change).toMatch(/name="history"\s+value="yes"\s+checked/);
});

test('a group is named by its number, a non-member by an address, which receives an invitation', async () => {
  const thing = await newFile();
  const page = `${home}/${thing}/share`;
  const group = await newGroup('<b>Editors</b>');
  const shared = await send(page, { who: group, level: 'write' });
  expect([shared.status, shared.text]).toEqual([200, expect.stringMatching(/&(?:lt|#60);b>?/)]);
  expect(mainOf(shared.text)).not.toContain('<b>');
  expect(await statusFor(thing)).toBe(200);
  const invited = await send(page, { who: ' new.guest@example.org ', level: 'read' });
  expect([invited.status, invited.text]).toEqual([
    200,
    expect.stringMatching(/accepts the invitation[^]*new\.guest@example\.org[^]*invited, not joined yet/),
  ]);
  const open = await stage.send('GET', `/api/v1/${thing}/shares`, stage.owner);
  expect(open.json()['data']).toMatchObject([
    { email: 'new.guest@example.org', level: 'read' },
    { level: 'write' },
  ]);
});

test('a link is shown once, readable by anyone, counted, and 404 once it is revoked', async () => {
  for (const [thing, kind] of [
    [await newFile(), 'content'],
    [await newFolder(), 'archive'],
  ] as const) {
    const page = `${home}/${thing}/share`;
    const created = await send(`${home}/${thing}/links`, { days: '30' });
    expect(created.status).toBe(200);
    const [, address = ''] = /<textarea id="secret"[^>]*>([^<]+)</.exec(created.text) ?? [];
    const { origin, pathname } = new URL(address);
    expect([origin, pathname]).toEqual([
      new URL(stage.identity.baseUrl).origin,
      expect.stringMatching(/^\/shared\/[0-9a-f]{64}$/),
    ]);
    expect(created.text).toContain('Anyone with this link can download the content');
    const landing = await openPage(stage, pathname);
    expect([landing.status, landing.headers['x-robots-tag']]).toEqual([200, 'noindex']);
    const download = `/api/v1${pathname}/${kind}`;
    expect(mainOf(landing.text)).toContain(`href="${download}"`);
    expect(mainOf(landing.text)).toContain(stage.acme.owner.username);
    expect((await openPage(stage, download)).status).toBe(200);
    const listed = (await open(page)).text;
    expect(listed).not.toContain(address);
    expect(listed).toMatch(/once, last/);
    expect((await open(`${home}/projects/${project}/share`)).text).toContain(`href="${home}/${thing}"`);
    const revoked = await send(`${home}/${thing}/links/revoke`, { link: hiddenIn(listed, 'link') });
    expect([revoked.status, revoked.headers.location]).toEqual([303, `${page}#links`]);
    for (const ended of [pathname, download]) expect((await openPage(stage, ended)).status).toBe(404);
    expect((await open(page)).text).toContain('No links to this');
  }
});

test('a link with a password shows nothing before it, and downloads with forms alone after it', async () => {
  const thing = await newFile('confidential plan.txt');
  const created = await send(`${home}/${thing}/links`, { days: '1', password: 'three plain words' });
  expect(created.text).toContain('send the password separately');
  const [, address = ''] = /<textarea id="secret"[^>]*>([^<]+)</.exec(created.text) ?? [];
  const { pathname } = new URL(address);
  const closed = await openPage(stage, pathname);
  expect(closed.status).toBe(200);
  expect(closed.text).not.toMatch(/confidential|the bytes/);
  const wrong = await sendForm(stage, pathname, { password: 'three other words' });
  expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('Wrong password')]);
  expect(wrong.text).not.toContain('confidential');
  const opened = await sendForm(stage, pathname, { password: 'three plain words' });
  expect([opened.status, mainOf(opened.text)]).toEqual([
    200,
    expect.stringContaining('confidential plan.txt'),
  ]);
  const [, download = ''] = /href="(\/api\/v1\/shared\/[^"]+)"/.exec(opened.text) ?? [];
  expect((await openPage(stage, download.replaceAll('&#61;', '='))).text).toBe('the bytes');
  const chinese = await ask(stage.app.port, pathname, { headers: { 'accept-language': 'zh' } });
  expect(chinese.text).toContain('此链接受密码保护');
  const listed = (await open(`${home}/${thing}/share`)).text;
  expect(listed).toContain('with a password');
  await send(`${home}/${thing}/links/revoke`, { link: hiddenIn(listed, 'link') });
  expect((await openPage(stage, pathname)).status).toBe(404);
});

describe('400, 403 and 404', () => {
  test('an unknown name is returned with the typed values and similar names', async () => {
    const page = `${home}/${await newFile()}/share`;
    const part = member.username.slice(0, -1);
    const refused = await send(page, { who: part, level: 'write' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`value="${part}"`)]);
    expect(refused.text).toMatch(new RegExp(`id="who-fault"[^]*Did you mean[^]*${member.username}`));
    expect(refused.text).toMatch(/value="write"\s+checked/);
    for (const who of ['', 'group:999999', 'not an @ address', '<img src=x>']) {
      const { status, text } = await send(page, { who, level: 'read' });
      expect([who, status, text.includes('id="who-fault"')]).toEqual([who, 400, true]);
      expect(mainOf(text)).not.toContain('<img');
    }
    expect((await send(page, { who: member.username, level: 'own' })).status).toBe(400);
  });

  test('a member with access to one folder cannot share a single entry in it, and sees why', async () => {
    const folder = (await newFolder()).split('/')[1] ?? '';
    const inside = await stage.newFile(project, 'inside.txt', '1', `folderId=${folder}`);
    const manager = await stage.acme.addMember('guest');
    await send(`${home}/folders/${folder}/share`, { who: manager.username, level: 'manage' });
    const own = await signInForCookie(stage, manager);
    const fields = { who: member.username, level: 'read' };
    expect((await send(`${home}/folders/${folder}/share`, fields, own)).status).toBe(200);
    const refused = await send(`${home}/files/${inside.id}/share`, fields, own);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('more access than you have'),
    ]);
    expect(refused.text).toContain(`value="${member.username}"`);
  });

  test('a member who may see shares but not create them sees no form, and is refused its request', async () => {
    const thing = await newFile();
    const page = `${home}/${thing}/share`;
    await send(page, { who: member.username, level: 'read' });
    await send(`${home}/${thing}/links`, {});
    const { text } = await open(page);
    const seen = await open(page, viewer);
    expect([seen.status, mainOf(seen.text)]).toEqual([200, expect.stringContaining(member.username)]);
    expect(mainOf(seen.text)).not.toContain('<form');
    expect((await open(`${home}/${thing}`, viewer)).text).toContain('View access');
    for (const [path, fields] of [
      ['share', { who: member.username, level: 'manage' }],
      ['share/end', { share: hiddenIn(text, 'share') }],
      ['links', {}],
      ['links/revoke', { link: hiddenIn(text, 'link') }],
    ] as const)
      expect([path, (await send(`${home}/${thing}/${path}`, fields, viewer)).status]).toEqual([path, 403]);
    const reader = await signInForCookie(stage, member);
    expect((await open(`${home}/${thing}`, reader)).text).not.toContain('/share"');
    expect((await open(page, reader)).status).toBe(403);
  });

  test('strangers get 404, also under the address of their own organization', async () => {
    const other = await stage.createOrganization();
    const stranger = await signInForCookie(stage, other.owner);
    const things = [await newFile(), await newFolder(), `projects/${project}`];
    for (const thing of things)
      for (const at of [home, `/platform/${other.key}`]) {
        expect([thing, (await open(`${at}/${thing}/share`, stranger)).status]).toEqual([thing, 404]);
        const fields = { who: other.owner.username, level: 'read' };
        expect((await send(`${at}/${thing}/share`, fields, stranger)).status).toBe(404);
      }
  });

  test('a member of two organizations finds a resource only under the address of its own', async () => {
    const both = await signInForCookie(stage, await stage.acme.addMember('member'));
    await send('/platform', { name: 'Second', platform_key: 'second-desk' }, both);
    const path = `${await newFile()}/share`;
    expect((await open(`${home}/${path}`, both)).status).toBe(200);
    expect((await open(`/platform/second-desk/${path}`, both)).status).toBe(404);
  });
});

describe('a guest', () => {
  test('starts with the resources shared with them and their groups, by name, and opens them', async () => {
    const guest = await stage.acme.addMember('guest');
    const own = await signInForCookie(stage, guest);
    expect((await open('/platform', own)).text).toContain(`href="${home}"`);
    const start = await open(home, own);
    expect([start.status, start.headers.location]).toEqual([303, `${home}/shared`]);
    const switched = await send(`${home}/switch`, {}, own);
    expect([switched.status, switched.headers.location]).toEqual([303, `${home}/shared`]);
    expect((await open('/account/organization', own)).headers.location).toBe(`${home}/shared`);
    expect((await open(`${home}/shared`, own)).text).toContain('Nothing is shared with you yet');
    const file = await newFile('<i>plan.txt');
    const folder = await newFolder();
    const { id: group } = (
      await stage.send('POST', '/dm/api/core/rbac/groups/', stage.owner, {
        platform_key: stage.acme.key,
        name: 'Correspondents',
        users_to_add: [guest.username],
      })
    ).json();
    await send(`${home}/${file}/share`, { who: guest.username, level: 'read' });
    await send(`${home}/${folder}/share`, { who: `group:${String(group)}`, level: 'write' });
    const { text } = await open(`${home}/shared`, own);
    expect(mainOf(text)).toMatch(/folder[^]*write[^]*the group Correspondents[^]*plan[^]*read[^]*you/);
    expect(mainOf(text)).not.toContain('<i>');
    for (const thing of [file, folder]) {
      expect(text).toContain(`href="${home}/${thing}"`);
      const page = await open(`${home}/${thing}`, own);
      expect([thing, page.status]).toEqual([thing, 200]);
      expect(page.text).toMatch(/class="crumbs"[^]*href="[^"]*\/shared">Shared with me</);
    }
    await send(`${home}/${file}/remove`, {});
    expect((await open(`${home}/shared`, own)).text).toContain('in the trash');
  });

  test('sees no link on their pages that is refused to them, and may leave', async () => {
    const guest = await stage.acme.addMember('guest');
    const own = await signInForCookie(stage, guest);
    const folder = await newFolder();
    await send(`${home}/${folder}/share`, { who: guest.username, level: 'manage' });
    const seen = new Set<string>();
    const follow = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, text } = await open(path, own);
      expect([path, [200, 303].includes(status)]).toEqual([path, true]);
      for (const [, href = ''] of text.matchAll(/href="([^"?#]+)"/g))
        if (href.startsWith(`${home}/`)) await follow(href);
    };
    await follow(`${home}/shared`);
    expect([...seen]).toEqual(
      expect.arrayContaining([
        `${home}/${folder}/share`,
        `${home}/settings`,
        `${home}/members/${guest.username}/remove`,
      ]),
    );
    expect((await open(`${home}/projects`, own)).text).toContain(
      'You do not have access to an entire project',
    );
    expect((await send(`${home}/members/${guest.username}/remove`, {}, own)).headers.location).toBe(
      '/platform',
    );
    expect((await open(`${home}/shared`, own)).status).toBe(404);
  });
});

test('hostile names are shown as text, and long lists are paginated', async () => {
  const thing = await newFile('<img src=x onerror=alert(1)>".txt');
  const page = `${home}/${thing}/share`;
  for (let index = 0; index < 21; index += 1) {
    await stage.send('POST', `/api/v1/${thing}/links`, stage.owner, {});
    const group = Number((await newGroup(`Desk <${index}>`)).slice('group:'.length));
    await stage.send('POST', `/api/v1/${thing}/shares`, stage.owner, { group, level: 'read' });
  }
  const oldest = /Stop sharing with Desk &(?:lt|#60);0/;
  const { text } = await open(page);
  expect(mainOf(text)).not.toContain('<img');
  expect(text).not.toMatch(oldest);
  const linkTo = (label: string): string =>
    new RegExp(`href="([^"]+)">${label}<`).exec(text)?.[1]?.replaceAll('&#61;', '=') ?? '';
  expect((await open(page + linkTo('Older'))).text).toMatch(oldest);
  expect((await open(page + linkTo('Older links'))).text.match(/name="link" value=/g)).toHaveLength(1);
});
