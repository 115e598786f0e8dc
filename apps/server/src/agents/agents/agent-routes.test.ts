import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';

let stage: TestAccess;
let organization: TestOrganization;
let owner: TestMember;
let viewer: TestMember;
let stranger: TestOrganization;
beforeAll(async () => {
  stage = await startTestAccess();
  organization = await stage.createOrganization();
  ({ owner } = organization);
  viewer = await organization.addMember('viewer');
  stranger = await stage.createOrganization();
});
afterAll(() => stage.stop());

const pathOf = (rest: string, { key } = organization, { username } = owner): string =>
  `/dm/api/ai-mentor/orgs/${key}/users/${username}/${rest}`;
const create = (body: object, member = owner, path = pathOf('mentor-with-settings/', organization, member)) =>
  stage.send('POST', path, member.headers, body);
const search = (query = '', member = owner): Promise<Answer> =>
  stage.send(
    'GET',
    `/dm/api/search/orgs/${organization.key}/users/${member.username}/mentors/${query}`,
    member.headers,
  );
let named = 0;
const fresh = (): { template_name: string; new_mentor_name: string } => {
  named += 1;
  return { template_name: 'ai-mentor', new_mentor_name: `Guide ${named}` };
};
const duplicate = (id: unknown, new_mentor_name: string, member = owner): Promise<Answer> =>
  stage.send('POST', pathOf(`mentors/${String(id)}/duplicate/`, organization, member), member.headers, {
    new_mentor_name,
  });
const remove = (id: unknown, member = owner): Promise<Answer> =>
  stage.send('DELETE', pathOf(`mentors/${String(id)}/`, organization, member), member.headers);
const settings = (id: unknown, member = owner): string =>
  pathOf(`mentors/${String(id)}/settings/`, organization, member);

describe('403: acting for a member with a higher role', () => {
  test('refuses an agent that an admin creates for an owner, and accepts the reverse', async () => {
    const admin = await organization.addMember('admin');
    const refused = await stage.send('POST', pathOf('mentor-with-settings/'), admin.headers, fresh());
    expectProblem(refused, 403, 'forbidden');
    const path = pathOf('mentor-with-settings/', organization, admin);
    expect((await stage.send('POST', path, owner.headers, fresh())).status).toBe(201);
  });
});

describe('201', () => {
  test('creates an agent with the values of its template if the request has none', async () => {
    const answer = await create({
      template_name: 'ai-mentor',
      new_mentor_name: 'Chip Watch 芯片',
      display_name: 'Chip watch',
    });
    expect(answer.status).toBe(201);
    const agent = answer.json();
    expect(agent).toMatchObject({
      unique_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Chip Watch 芯片',
      slug: 'chip-watch-芯片',
      display_name: 'Chip watch',
      template_name: 'ai-mentor',
      categories: ['news', 'teaching'],
      created_by: owner.username,
    });
    expect(agent['system_prompt']).toMatch(/never as instructions/);
    expect(agent['created_at']).toBe(agent['updated_at']);
  });

  test('accepts a template of the organization, also one with the name of the default template', async () => {
    const template = {
      name: 'house-style',
      description: 'Writes as we do.',
      system_prompt: 'Short sentences.',
      llm_provider: 'local',
      categories: ['writing'],
      reads_public_record: false,
    };
    expect((await stage.send('POST', pathOf('templates/'), owner.headers, template)).status).toBe(201);
    const listed = await stage.send('GET', pathOf('templates/'), owner.headers);
    expect((listed.json() as unknown as { name: string }[]).map(({ name }) => name)).toEqual([
      'house-style',
      'ai-mentor',
      'briefing',
      'competitor-watch',
      'correction-watcher',
      'desk-researcher',
      'file-librarian',
    ]);
    const made = await create({ ...fresh(), template_name: 'house-style' });
    expect(made.json()).toMatchObject({ llm_provider: 'local', categories: ['writing'] });
    expect((await stage.send('DELETE', pathOf('templates/house-style'), owner.headers)).status).toBe(204);
    expectProblem(await create({ ...fresh(), template_name: 'house-style' }), 404, 'not_found');
  });

  test.each([
    ['briefing', ['news']],
    ['competitor-watch', ['news']],
    ['correction-watcher', ['news']],
    ['desk-researcher', ['news', 'files']],
    ['file-librarian', ['files']],
  ])('creates an agent from %s with the sources of the template', async (name, sources) => {
    const made = (await create({ ...fresh(), template_name: name })).json();
    expect(made).toMatchObject({ template_name: name, sources });
  });

  test('creates an agent in the name of another member for a caller who may act for members', async () => {
    const path = pathOf('mentor-with-settings/', organization, viewer);
    const answer = await create(fresh(), owner, path);
    expect([answer.status, answer.json()['created_by']]).toEqual([201, viewer.username]);
  });
});

describe('200', () => {
  test('searches by words of any script and by category, and paginates', async () => {
    const own = await stage.createOrganization();
    const at = (rest: string): string =>
      `/dm/api/ai-mentor/orgs/${own.key}/users/${own.owner.username}/${rest}`;
    for (const [index, description] of ['芯片与模型', '100% chips_', 'nothing'].entries()) {
      const body = { template_name: 'ai-mentor', new_mentor_name: `Agent ${index}`, description };
      expect((await stage.send('POST', at('mentor-with-settings/'), own.owner.headers, body)).status).toBe(
        201,
      );
    }
    const find = async (query: string) => {
      const path = `/dm/api/search/orgs/${own.key}/users/${own.owner.username}/mentors/?${query}`;
      const answer = await stage.send('GET', path, own.owner.headers);
      expect(answer.status).toBe(200);
      return answer.json() as {
        data: { name: string }[];
        pagination: { hasMore: boolean; nextCursor: string };
      };
    };
    const names = async (query: string) => (await find(query)).data.map(({ name }) => name);
    expect(await names('')).toEqual(['Agent 2', 'Agent 1', 'Agent 0']);
    expect(await names(`query=${encodeURIComponent('芯片')}`)).toEqual(['Agent 0']);
    expect(await names('query=CHIPS_')).toEqual(['Agent 1']);
    expect(await names('query=%25')).toEqual(['Agent 1']);
    expect(await names('category=teaching&query=agent%202')).toEqual(['Agent 2']);
    expect(await names('category=writing')).toEqual([]);
    const first = await find('limit=2');
    expect(first.pagination.hasMore).toBe(true);
    expect(await names(`limit=2&cursor=${first.pagination.nextCursor}`)).toEqual(['Agent 0']);
  });

  test('reads settings and changes single fields later; name and line endings stay unchanged', async () => {
    const made = (await create(fresh())).json();
    const system_prompt = 'One\r\ntwo\nthree\r';
    const change = { display_name: 'Renamed', categories: ['news', 'news', 'research'], system_prompt };
    const changed = await stage.send('PATCH', settings(made['unique_id']), owner.headers, change);
    expect(changed.status).toBe(200);
    expect(changed.json()).toMatchObject({
      name: made['name'],
      display_name: 'Renamed',
      categories: ['news', 'research'],
      description: made['description'],
      template_name: 'ai-mentor',
      system_prompt,
    });
    const read = await stage.send('GET', settings(made['unique_id'], viewer), viewer.headers);
    expect(read.json()).toEqual(changed.json());
  });

  test('replaces settings that still equal the old template when the template changes', async () => {
    const template = {
      name: 'brief',
      description: 'Answers in one sentence.',
      system_prompt: 'One sentence.',
      llm_provider: 'local',
      categories: ['writing'],
      reads_public_record: false,
    };
    await stage.send('POST', pathOf('templates/'), owner.headers, template);
    const made = (await create({ ...fresh(), description: 'Ours.' })).json();
    const to = (template_name: string, more: object = {}): Promise<Answer> =>
      stage.send('PATCH', settings(made['unique_id']), owner.headers, { template_name, ...more });
    const reads = async (): Promise<unknown> =>
      (
        await stage.database.asSuperuser(
          'SELECT reads_public_record AS reads FROM agents.agent WHERE id = $1',
          [made['unique_id']],
        )
      )[0]?.['reads'];
    expect(await reads()).toBe(true);
    expect((await to('brief', { llm_provider: 'own' })).json()).toMatchObject({
      name: made['name'],
      template_name: 'brief',
      description: 'Ours.',
      system_prompt: 'One sentence.',
      llm_provider: 'own',
      categories: ['writing'],
    });
    expect(await reads()).toBe(false);
    expectProblem(await to('nobody-has-this'), 404, 'not_found');
    // The values of a deleted template are unknown.
    await stage.send('DELETE', pathOf('templates/brief'), owner.headers);
    expect((await to('ai-mentor')).json()).toMatchObject({
      template_name: 'ai-mentor',
      system_prompt: 'One sentence.',
      categories: ['writing'],
    });
  });

  test('returns categories as an array of id, name and description', async () => {
    const answer = await stage.send(
      'GET',
      pathOf('mentor/categories/', organization, viewer),
      viewer.headers,
    );
    expect(answer.status).toBe(200);
    const [first] = answer.json() as unknown as object[];
    expect(Object.keys(first!)).toEqual(['id', 'name', 'description']);
  });
});

describe('400', () => {
  test.each([
    ['no template', { new_mentor_name: 'x' }],
    ['no name', { template_name: 'ai-mentor' }],
    ['a blank name', { ...fresh(), new_mentor_name: '  ' }],
    ['a control character', { ...fresh(), new_mentor_name: 'a\u0007b' }],
    ['a NUL', { ...fresh(), description: 'a\u0000b' }],
    ['an unknown field', { ...fresh(), temperature: 1 }],
    ['too long a prompt', { ...fresh(), system_prompt: 'x'.repeat(32_001) }],
  ])('%s', async (_what, body) => {
    expectProblem(await create(body), 400, 'invalid_request');
  });

  test('refuses an unknown category, an empty change and a cursor of another list', async () => {
    const { unique_id } = (await create(fresh())).json();
    for (const change of [{ categories: ['astrology'] }, {}, { name: 'x' }])
      expectProblem(
        await stage.send('PATCH', settings(unique_id), owner.headers, change),
        400,
        'invalid_request',
      );
    expectProblem(await search('?cursor=abc'), 400, 'invalid_cursor');
  });
});

test('401: refuses a request without a credential', async () => {
  expectProblem(await stage.send('GET', pathOf('mentor/categories/'), {}), 401, 'unauthenticated');
});

describe('403', () => {
  test('lets a viewer read agents, but neither create them nor act for others', async () => {
    expectProblem(await create(fresh(), viewer), 403, 'forbidden');
    expect((await search('', viewer)).status).toBe(200);
    const { unique_id } = (await create(fresh())).json();
    const change = { display_name: 'Mine' };
    expectProblem(
      await stage.send('PATCH', settings(unique_id, viewer), viewer.headers, change),
      403,
      'forbidden',
    );
    expectProblem(await stage.send('GET', settings(unique_id), viewer.headers), 403, 'forbidden');
  });
});

describe('404', () => {
  test('hides the organizations of others and their content', async () => {
    const { unique_id } = (await create(fresh())).json();
    const { owner: other } = stranger;
    const path = (rest: string): string => pathOf(rest, organization, other);
    expectProblem(await create(fresh(), other, path('mentor-with-settings/')), 404, 'not_found');
    expectProblem(await stage.send('GET', path('mentor/categories/'), other.headers), 404, 'not_found');
    const own = `/dm/api/ai-mentor/orgs/${stranger.key}/users/${other.username}/mentors/${String(unique_id)}/settings/`;
    expectProblem(await stage.send('GET', own, other.headers), 404, 'not_found');
    expectProblem(await stage.send('PATCH', own, other.headers, { description: 'x' }), 404, 'not_found');
  });

  test.each(['nothing', '00000000-0000-4000-8000-000000000000', "';--"])(
    'returns 404 for the agent %s',
    async (id) => {
      expectProblem(
        await stage.send('GET', settings(encodeURIComponent(id)), owner.headers),
        404,
        'not_found',
      );
    },
  );

  test('returns 404 for an unknown template and an unknown member', async () => {
    expectProblem(await create({ ...fresh(), template_name: 'oracle' }), 404, 'not_found');
    const path = `/dm/api/ai-mentor/orgs/${organization.key}/users/nobody-here/mentor/categories/`;
    expectProblem(await stage.send('GET', path, owner.headers), 404, 'not_found');
  });
});

describe('409', () => {
  test('refuses a taken name regardless of case, width and blanks, within one organization', async () => {
    const { new_mentor_name } = fresh();
    expect((await create({ template_name: 'ai-mentor', new_mentor_name })).status).toBe(201);
    const spelled = new_mentor_name.toUpperCase().replace('G', 'Ｇ').replace(' ', '  ');
    const again = { template_name: 'ai-mentor', new_mentor_name: spelled };
    expectProblem(await create(again), 409, 'conflict');
    const path = `/dm/api/ai-mentor/orgs/${stranger.key}/users/${stranger.owner.username}/mentor-with-settings/`;
    expect((await create(again, stranger.owner, path)).status).toBe(201);
  });

  test('refuses a copy without a new name', async () => {
    const made = (await create(fresh())).json();
    expectProblem(await duplicate(made['unique_id'], String(made['name'])), 409, 'conflict');
  });
});

describe('names, copies and deletion', () => {
  test('gives “C helper” and “C++ helper” different slugs', async () => {
    const slugs = [];
    for (const new_mentor_name of ['C helper', 'C++ helper', 'C# helper']) {
      const made = await create({ template_name: 'ai-mentor', new_mentor_name });
      expect(made.status).toBe(201);
      slugs.push(made.json()['slug']);
    }
    expect(slugs[0]).toBe('c-helper');
    expect(new Set(slugs).size).toBe(3);
  });

  test('copies everything of an agent except id, names and timestamps', async () => {
    const made = (await create({ ...fresh(), system_prompt: 'Be brief.\r\nBe kind.' })).json();
    const name = `Copy ${named}`;
    const copy = await duplicate(made['unique_id'], name, await organization.addMember('member'));
    expect(copy.status).toBe(201);
    const { unique_id, slug, created_by, created_at, updated_at, ...rest } = copy.json();
    const same = { ...made, name, display_name: name } as Record<string, unknown>;
    for (const own of ['unique_id', 'slug', 'created_by', 'created_at', 'updated_at']) delete same[own];
    expect(rest).toEqual(same);
    expect([unique_id, slug]).not.toContain(made['unique_id']);
    expect([created_by, created_at, updated_at]).not.toContain(undefined);
  });

  test('deletes an agent and releases its name', async () => {
    const body = fresh();
    const { unique_id } = (await create(body)).json();
    expect((await remove(unique_id)).status).toBe(204);
    expectProblem(await stage.send('GET', settings(unique_id), owner.headers), 404, 'not_found');
    expectProblem(await remove(unique_id), 404, 'not_found');
    expect((await create(body)).status).toBe(201);
  });

  test('refuses copies and deletions by viewers, by non-members and without a credential', async () => {
    const { unique_id } = (await create(fresh())).json();
    expectProblem(await duplicate(unique_id, 'Viewed', viewer), 403, 'forbidden');
    expectProblem(await remove(unique_id, viewer), 403, 'forbidden');
    expectProblem(await duplicate(unique_id, 'Strange', stranger.owner), 404, 'not_found');
    expectProblem(await remove(unique_id, stranger.owner), 404, 'not_found');
    const nobody = { ...owner, headers: {} };
    expectProblem(await duplicate(unique_id, 'Nobody', nobody), 401, 'unauthenticated');
    expectProblem(await remove(unique_id, nobody), 401, 'unauthenticated');
    expectProblem(await duplicate(unique_id, ''), 400, 'invalid_request');
  });
});
