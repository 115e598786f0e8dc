import { afterAll, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../../test/access.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';
import { insertToken } from '../../../access/credentials/platform-token-store.ts';
import { createCheckedSecret } from '../../../foundation/checked-secret.ts';
import { sha256Bytes } from '../../../foundation/hash.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const memberPath = ({ username }: TestMember, rest = ''): string =>
  `/platform/${acme.key}/members/${username}${rest}`;

describe('members', () => {
  test("a role is changed on the member's page, which explains each role", async () => {
    const member = await acme.addMember('member');
    const page = await openPage(stage, memberPath(member), ownerCookie);
    expect(page.text).toMatch(/value="admin"[^]*cannot manage owners/);
    const changed = await sendForm(stage, memberPath(member), { role: 'viewer' }, { cookie: ownerCookie });
    expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('viewer: read-only')]);
  });

  test('removal is confirmed on a page with the name and the tokens that end, and then done', async () => {
    const member = await acme.addMember('admin');
    const fields = { name: 'nightly', expires: '', mode: 'owner' };
    const cookie = await signInForCookie(stage, member);
    expect((await sendForm(stage, `/platform/${acme.key}/tokens`, fields, { cookie })).status).toBe(200);
    const question = await openPage(stage, memberPath(member, '/remove'), ownerCookie);
    expect(question.text).toContain(`(${member.username})?`);
    expect(question.text).toContain('Tokens to be deleted: <strong>nightly</strong>');
    const removed = await sendForm(stage, memberPath(member, '/remove'), {}, { cookie: ownerCookie });
    expect([removed.status, removed.headers.location]).toEqual([303, `/platform/${acme.key}/members`]);
    stage.age();
    expect((await openPage(stage, `/platform/${acme.key}/members`, cookie)).status).toBe(404);
    expect((await openPage(stage, '/account', cookie)).status).toBe(200);
  });

  test('the only owner sees neither a role form nor a leave button, and is refused both', async () => {
    const page = await openPage(stage, memberPath(acme.owner), ownerCookie);
    expect(page.text).toContain('An organization must have an owner');
    expect(page.text).not.toContain('Change role');
    expect(page.text).not.toContain('/remove');
    for (const [path, fields] of [
      [memberPath(acme.owner), { role: 'viewer' }],
      [memberPath(acme.owner, '/remove'), {}],
    ] as const) {
      const refused = await sendForm(stage, path, fields, { cookie: ownerCookie });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('at least one owner')]);
    }
  });

  test('a viewer sees the others without forms, and can leave', async () => {
    const viewer = await acme.addMember('viewer');
    const cookie = await signInForCookie(stage, viewer);
    const other = await openPage(stage, memberPath(acme.owner), cookie);
    expect([other.status, other.text.includes('Change role')]).toEqual([200, false]);
    expect(other.text).not.toContain('/remove');
    const left = await sendForm(stage, memberPath(viewer, '/remove'), {}, { cookie });
    expect([left.status, left.headers.location]).toEqual([303, '/platform']);
  });
});

describe('organizations', () => {
  test('one is created with its key and name, becomes current at once, is renamed, and switched away from by a button', async () => {
    const person = await acme.addMember('member');
    const cookie = await signInForCookie(stage, person);
    const refused = await sendForm(stage, '/platform', { name: 'Widgets', platform_key: 'W!' }, { cookie });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="Widgets"')]);
    expect(refused.text).toContain('id="platform_key-fault"');
    const created = await sendForm(
      stage,
      '/platform',
      { name: 'Widgets', platform_key: 'widgets' },
      { cookie },
    );
    expect([created.status, created.headers.location]).toEqual([303, '/platform/widgets']);
    expect((await openPage(stage, '/account', cookie)).text).toMatch(/organization"[^>]*>Widgets</);
    await sendForm(stage, '/platform/widgets/settings', { name: 'Widgets & Sons' }, { cookie });
    expect((await openPage(stage, '/platform', cookie)).text).toContain('Widgets &#38; Sons');
    const switched = await sendForm(stage, `/platform/${acme.key}/switch`, {}, { cookie });
    expect([switched.status, switched.headers.location]).toEqual([303, `/platform/${acme.key}`]);
    expect((await openPage(stage, '/account/organization', cookie)).headers.location).toBe(
      `/platform/${acme.key}`,
    );
    expect((await sendForm(stage, '/platform/nobody-has-this/switch', {}, { cookie })).status).toBe(404);
    expect((await sendForm(stage, `/platform/${acme.key}/settings`, { name: 'x' }, { cookie })).status).toBe(
      403,
    );
  });
});

/** The API operations and pages of one kind of resource. */
interface Thing {
  readonly tab: string;
  readonly list: string;
  readonly create?: { readonly path: string; readonly json: (mark: string) => unknown };
  /** Of the resource created for each person. */
  readonly one?: (id: string) => { readonly api: string; readonly page: string };
  readonly change?: unknown;
  readonly isRemovable?: boolean;
  /** Where the API deletes it, if not at its own address. */
  readonly removal?: (id: string) => string;
}

describe('pages and API', () => {
  const org = (): string => acme.key;
  const rbac = '/dm/api/core/rbac';
  const things = (username: string): readonly Thing[] => {
    const [key, query] = [org(), `?platform_key=${org()}`];
    const mentors = `/dm/api/ai-mentor/orgs/${key}/users/${username}`;
    const numbered = (kind: string, more: object): Thing => ({
      tab: kind,
      list: `${rbac}/${kind}/${query}`,
      create: {
        path: `${rbac}/${kind}/`,
        json: (mark) => ({ platform_key: key, name: `${kind} ${mark}`, ...more }),
      },
      one: (id) => ({ api: `${rbac}/${kind}/${id}${query}`, page: `/platform/${key}/${kind}/${id}` }),
      change: { name: `changed ${username}` },
      isRemovable: true,
    });
    const tokens = '/dm/api/core/platform/api-tokens/';
    return [
      numbered('policies', { actions: ['Daybook.Agents/Agents/read'], resources: [`/organizations/${key}`] }),
      numbered('groups', {}),
      {
        tab: 'tokens',
        list: `${tokens}${query}`,
        create: {
          path: tokens,
          json: (mark) => ({
            username,
            name: `token ${mark}`,
            platform_key: key,
            created: '2026-11-15T00:00:00Z',
            expires: '',
          }),
        },
        one: (id) => ({ api: `${tokens}${id}${query}`, page: `/platform/${key}/tokens/${id}` }),
        change: { mode: 'token_policies' },
        isRemovable: true,
      },
      {
        tab: 'members',
        list: `${rbac}/members/${query}`,
        one: (id) => ({ api: `${rbac}/members/${id}${query}`, page: `/platform/${key}/members/${id}` }),
        change: { role: 'viewer' },
        isRemovable: true,
      },
      {
        tab: 'agents',
        list: `/dm/api/search/orgs/${key}/users/${username}/mentors/`,
        create: {
          path: `${mentors}/mentor-with-settings/`,
          json: (mark) => ({ template_name: 'ai-mentor', new_mentor_name: `Agent ${mark}` }),
        },
        one: (id) => ({ api: `${mentors}/mentors/${id}/settings/`, page: `/platform/${key}/agents/${id}` }),
        change: { description: 'changed' },
        isRemovable: true,
        removal: (id) => `${mentors}/mentors/${id}/`,
      },
      { tab: 'audit', list: `/dm/api/core/platform/audit-events/?platform_key=${key}` },
      { tab: 'settings', list: `/dm/api/core/organizations/${key}` },
    ];
  };

  /** One of each kind, without references to it. */
  async function makeOneOfEach(person: TestMember, mark: string): Promise<Readonly<Record<string, string>>> {
    const made: Record<string, string> = { members: (await disposable()).username, tokens: `own-${mark}` };
    for (const { tab, create } of things(acme.owner.username))
      if (create !== undefined && tab !== 'tokens') {
        const answer = await stage.send('POST', create.path, acme.owner.headers, create.json(`${mark} one`));
        made[tab] = String(answer.json()[tab === 'agents' ? 'unique_id' : 'id']);
      }
    const [now, secret] = [stage.clock.now(), createCheckedSecret()];
    const creator = { id: person.id, username: person.username };
    const token = { name: `own-${mark}`, creator, mode: 'owner' as const, expires: '', expiresAt: null };
    const id = stage.identity.ids.next<'platform token'>();
    const row = { ...token, id, organizationId: acme.id, createdAt: now, expiresIn: null };
    await insertToken(stage.identity.database, row, sha256Bytes(secret));
    return made;
  }

  let spare: TestMember | null = null;
  async function disposable(): Promise<TestMember> {
    const path = (who: TestMember) => `${rbac}/members/${who.username}?platform_key=${org()}`;
    const isThere =
      spare !== null &&
      (await stage.send('PATCH', path(spare), acme.owner.headers, { role: 'viewer' })).status;
    if (spare === null || isThere !== 200) spare = await acme.addMember('viewer');
    return spare;
  }

  /** The differences between the forms on the pages and the rights in the API. */
  async function differences(person: TestMember, cookie: string, mark: string): Promise<readonly string[]> {
    const made = await makeOneOfEach(person, mark);
    const found: string[] = [];
    const compare = (what: string, offered: boolean, status: number, allowed: readonly number[]): void => {
      if (offered !== allowed.includes(status)) found.push(`${what}: offered ${offered}, API ${status}`);
    };
    const frame = (await openPage(stage, `/platform/${org()}/settings`, cookie)).text;
    for (const { tab, list, create, one, change, isRemovable, removal } of things(person.username)) {
      const here = `/platform/${org()}/${tab}`;
      const page = await openPage(stage, here, cookie);
      const listed = (await stage.send('GET', list, person.headers)).status;
      if (page.status !== listed) found.push(`${here}: page ${page.status}, API ${listed}`);
      compare(`tab ${tab}`, frame.includes(`href="${here}"`), listed, [200]);
      if (create !== undefined && listed === 200) {
        const { status } = await stage.send('POST', create.path, person.headers, create.json(mark));
        const { text } = await openPage(stage, `${here}?new=1`, cookie);
        compare(`create ${tab}`, text.includes(`action="${here}"`), status, [201]);
      }
      const id = made[tab];
      if (one === undefined || id === undefined) continue;
      const { api, page: address } = one(id);
      const shown = await openPage(stage, address, cookie);
      if (tab !== 'members') {
        const read = (await stage.send('GET', api, person.headers)).status;
        if (shown.status !== read) found.push(`${address}: page ${shown.status}, API ${read}`);
      }
      if (shown.status !== 200) continue;
      const changed = (await stage.send('PATCH', api, person.headers, change)).status;
      compare(`change ${tab}`, shown.text.includes(`action="${address}"`), changed, [200]);
      if (isRemovable !== true) continue;
      const removed = (await stage.send('DELETE', removal?.(id) ?? api, person.headers)).status;
      compare(`remove ${tab}`, shown.text.includes(`href="${address}/remove"`), removed, [204]);
    }
    return found;
  }

  let project: string | null = null;
  /** For the shares and links of a folder: the forms on its page, and the rights in the API. */
  async function differencesOfShares(
    person: TestMember,
    cookie: string,
    mark: string,
  ): Promise<readonly string[]> {
    const make = async (path: string, json: object): Promise<string> =>
      String((await stage.send('POST', `/api/v1/${path}`, acme.owner.headers, json)).json()['id']);
    project ??= await make('projects', { name: 'shared' });
    const thing = `folders/${await make(`projects/${project}/folders`, { name: mark })}`;
    const share = await make(`${thing}/shares`, { member: acme.owner.username, level: 'read' });
    const link = await make(`${thing}/links`, {});
    const here = `/platform/${org()}/${thing}`;
    const page = await openPage(stage, `${here}/share`, cookie);
    const send = async (method: string, path: string, json?: object): Promise<number> =>
      (await stage.send(method, `/api/v1/${path}`, person.headers, json)).status;
    const found: string[] = [];
    const compare = (what: string, offered: boolean, status: number): void => {
      if (offered !== [200, 201, 204].includes(status))
        found.push(`${what}: offered ${offered}, API ${status}`);
    };
    for (const list of ['shares', 'links'])
      compare(list, page.status === 200, await send('GET', `${thing}/${list}`));
    if (page.status !== 200) return found;
    for (const [form, method, path, json] of [
      ['share', 'POST', `${thing}/shares`, { member: person.username, level: 'read' }],
      ['share/end', 'DELETE', `shares/${share}`, undefined],
      ['links', 'POST', `${thing}/links`, {}],
      ['links/revoke', 'DELETE', `links/${link}`, undefined],
    ] as const)
      compare(form, page.text.includes(`action="${here}/${form}"`), await send(method, path, json));
    return found;
  }

  /** For the trash of a project: the forms on its page, and the rights in the API. */
  async function differencesOfTrash(
    person: TestMember,
    cookie: string,
    mark: string,
  ): Promise<readonly string[]> {
    const asOwner = async (method: string, path: string, json?: object): Promise<Answer> =>
      stage.send(method, `/api/v1/${path}`, acme.owner.headers, json);
    const { id } = (await asOwner('POST', 'projects', { name: `trash ${mark}` })).json();
    const things: string[] = [];
    for (const name of ['restored', 'purged']) {
      const { id: folder } = (await asOwner('POST', `projects/${String(id)}/folders`, { name })).json();
      things.push(`folders/${String(folder)}`);
      await asOwner('DELETE', things.at(-1) ?? '');
    }
    const [restored, purged] = things;
    const trash = `projects/${String(id)}/trash`;
    const page = await openPage(stage, `/platform/${org()}/${trash}`, cookie);
    const found: string[] = [];
    for (const [form, method, path, json] of [
      ['', 'GET', trash, undefined],
      [`${restored}/restore`, 'POST', `${restored}/restore`, {}],
      [`${purged}/purge`, 'POST', `${purged}/purge`, undefined],
      [`${trash}/empty`, 'DELETE', trash, undefined],
    ] as const) {
      const isOffered =
        page.status === 200 && (form === '' || page.text.includes(`action="/platform/${org()}/${form}"`));
      const { status } = await stage.send(method, `/api/v1/${path}`, person.headers, json);
      // The page shows the whole trash: a caller who may delete only single entries finds them by the API.
      if (page.status !== 200 && form !== '') continue;
      if (isOffered !== status < 300) found.push(`${method} ${path}: offered ${isOffered}, API ${status}`);
    }
    return found;
  }

  test.each(['owner', 'admin', 'member', 'viewer', 'guest'] as const)(
    'shows %s exactly the forms that the API allows',
    async (role) => {
      const person = await acme.addMember(role);
      const cookie = await signInForCookie(stage, person);
      expect(await differences(person, cookie, role)).toEqual([]);
      expect(await differencesOfShares(person, cookie, role)).toEqual([]);
      expect(await differencesOfTrash(person, cookie, role)).toEqual([]);
    },
  );

  test('shows a viewer with any one more permission exactly the forms that the API allows', async () => {
    const person = await acme.addMember('viewer');
    const cookie = await signInForCookie(stage, person);
    const send = (method: string, path: string, json: unknown): Promise<unknown> =>
      stage.send(method, `${rbac}${path}`, acme.owner.headers, json);
    const text = (action: string) => ({
      actions: [action],
      resources: ['', '/**'].map((rest) => `/organizations/${org()}${rest}`),
    });
    const policy = (
      await stage.send('POST', `${rbac}/policies/`, acme.owner.headers, {
        platform_key: org(),
        name: 'single',
        ...text('Daybook.Core/Policies/read'),
      })
    ).json()['id'];
    await send('POST', '/groups/', {
      platform_key: org(),
      name: 'single',
      users_to_add: [person.username],
      policies_to_add: [policy],
    });
    const found: string[] = [];
    for (const [index, action] of singlePermissions.entries()) {
      await send('PATCH', `/policies/${String(policy)}?platform_key=${org()}`, text(action));
      stage.age();
      const walks = action.startsWith('Daybook.Storage/')
        ? [differencesOfShares, differencesOfTrash]
        : [differences];
      for (const walk of walks) {
        const differing = await walk(person, cookie, `single-${index}`);
        found.push(...differing.map((line) => `${action}: ${line}`));
      }
    }
    expect(found).toEqual([]);
  }, 300_000);
});

const singlePermissions = [
  ...['Policies', 'Groups', 'Members', 'ApiTokens'].flatMap((resource) =>
    ['read', 'create', 'update', 'delete', '*'].map((verb) => `Daybook.Core/${resource}/${verb}`),
  ),
  'Daybook.Core/Members/act_for',
  'Daybook.Core/ApiTokens/*/write',
  'Daybook.Core/ApiTokens/mode/write',
  'Daybook.Core/ApiTokens/policies_to_add/write',
  'Daybook.Core/Organization/update',
  'Daybook.Core/AuditEvents/read',
  'Daybook.Agents/Agents/create',
  'Daybook.Agents/Agents/update',
  'Daybook.Agents/Agents/delete',
  'Daybook.Agents/Templates/create',
  'Daybook.Core/*/*',
  'Daybook.Storage/Shares/create',
  'Daybook.Storage/Shares/delete',
  'Daybook.Storage/Shares/*',
  'Daybook.Storage/Projects/delete',
  'Daybook.Storage/Folders/delete',
  'Daybook.Storage/*/delete',
];
