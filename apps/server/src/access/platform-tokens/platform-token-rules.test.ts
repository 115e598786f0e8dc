import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { TokenDesk } from '../../../test/platform-tokens.ts';
import { openTokenDesk, tokensPath } from '../../../test/platform-tokens.ts';

let stage: TestAccess;
let acme: TestOrganization;
let other: TestOrganization;
let desk: TokenDesk;
let admin: TestMember;
let member: TestMember;
/** Reads policies; an admin may grant it. */
let reading: number;
/** Deletes the organization; only an owner may grant it. */
let ending: number;
/** Contains `ending`. */
let endingGroup: number;
/** Allows its users to write every field of tokens, and to update them. */
let privileged: number;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  other = await stage.createOrganization();
  desk = openTokenDesk(stage, acme);
  admin = await acme.addMember('admin');
  member = await acme.addMember('member');
  reading = await desk.policy(['Daybook.Core/Policies/read'], ['/policies', '/policies/**']);
  ending = await desk.policy(['Daybook.Core/Organization/delete'], ['']);
  endingGroup = await desk.group({ policies_to_add: [ending] });
  privileged = await desk.policy(
    ['Daybook.Core/ApiTokens/*', 'Daybook.Core/ApiTokens/*/write'],
    ['/api-tokens', '/api-tokens/**'],
  );
});
afterAll(() => stage.stop());

const own = { mode: 'token_policies' };
const uncovered = (answer: Answer): unknown[] =>
  (expectProblem(answer, 403, 'permission_escalation')['errors'] as { name: string; message: string }[]).map(
    ({ name, message }) => `${name}: ${message}`,
  );
const invalid = (answer: Answer): string =>
  String((expectProblem(answer, 400, 'invalid_request')['errors'] as { name: string }[])[0]?.name);

describe('rule 1: policies and groups can be set only if mode is token_policies', () => {
  test.each(['policies_to_add', 'policies_to_remove'])('%s with owner mode is refused', async (field) => {
    expect(invalid(await desk.create(admin, { [field]: [reading] }))).toBe(field);
    expect(invalid(await desk.create(admin, { mode: 'owner', [field]: [reading] }))).toBe(field);
    const { name } = await desk.made(admin);
    expect(invalid(await desk.change(admin.headers, name, { [field]: [reading] }))).toBe(field);
  });

  test.each(['groups_to_add', 'groups_to_remove'])('%s with owner mode is refused', async (field) => {
    const group = await desk.group({});
    expect(invalid(await desk.create(admin, { [field]: [group] }))).toBe(field);
    const { name } = await desk.made(admin, own);
    expect(invalid(await desk.change(admin.headers, name, { mode: 'owner', [field]: [group] }))).toBe(field);
  });

  test('attaches them in token_policies mode, also if the same request sets the mode', async () => {
    const group = await desk.group({ policies_to_add: [reading] });
    const { name } = await desk.made(admin, { ...own, policies_to_add: [reading] });
    expect((await desk.read(admin.headers, name)).json()).toMatchObject({ policies: [reading], groups: [] });
    const { name: later } = await desk.made(admin);
    const changed = await desk.change(admin.headers, later, { ...own, groups_to_add: [group] });
    expect(changed.json()).toMatchObject({ ...own, policies: [], groups: [group] });
    const emptied = await desk.change(admin.headers, later, { groups_to_remove: [group] });
    expect(emptied.json()).toMatchObject({ policies: [], groups: [] });
  });

  test('accepts an empty list, which sets nothing', async () => {
    expect((await desk.create(member, { policies_to_add: [], groups_to_remove: [] })).status).toBe(201);
  });
});

describe("rule 2: policies and groups must be of the token's platform", () => {
  test('refuses those of another platform like unknown ones', async () => {
    const elsewhere = openTokenDesk(stage, other);
    let foreign = 0;
    while (foreign <= Math.max(reading, ending, privileged))
      foreign = await elsewhere.policy(['Daybook.Core/Policies/read'], ['/policies']);
    const foreignGroup = await elsewhere.group({});
    let unknown = foreignGroup;
    while (unknown <= endingGroup) unknown = await elsewhere.group({});
    const { name } = await desk.made(admin, own);
    for (const field of ['policies_to_add', 'policies_to_remove'])
      for (const id of [foreign, 2_000_000])
        expect(invalid(await desk.change(admin.headers, name, { [field]: [id] }))).toBe(field);
    for (const field of ['groups_to_add', 'groups_to_remove'])
      expect(invalid(await desk.change(admin.headers, name, { [field]: [2_000_000] }))).toBe(field);
    expect(invalid(await desk.create(admin, { ...own, policies_to_add: [foreign] }))).toBe('policies_to_add');
  });
});

describe('rule 3: no escalation', () => {
  const pair = (field: string): string =>
    `${field}: Daybook.Core/Organization/delete on /organizations/${acme.key}`;

  test('refuses a policy beyond the granter at creation and at change, and names its pairs', async () => {
    expect(uncovered(await desk.create(admin, { ...own, policies_to_add: [reading, ending] }))).toEqual([
      pair('policies_to_add'),
    ]);
    const { name } = await desk.made(admin, own);
    expect(uncovered(await desk.change(admin.headers, name, { policies_to_add: [ending] }))).toEqual([
      pair('policies_to_add'),
    ]);
    expect((await desk.read(admin.headers, name)).json()).toMatchObject({ policies: [] });
  });

  test('refuses a policy beyond the granter that is reached through a group', async () => {
    expect(uncovered(await desk.create(admin, { ...own, groups_to_add: [endingGroup] }))).toEqual([
      pair('groups_to_add'),
    ]);
  });

  test('lets an owner attach what an admin may not', async () => {
    const answer = await desk.create(acme.owner, { ...own, groups_to_add: [endingGroup] });
    expect([answer.status, answer.json()['groups']]).toEqual([201, [endingGroup]]);
  });

  test('lets a token grant what it has, but create none with its creator’s authority', async () => {
    const { headers } = await desk.made(acme.owner, { ...own, policies_to_add: [privileged, reading] });
    const asToken = { ...acme.owner, headers };
    expect((await desk.create(asToken, { ...own, policies_to_add: [reading] })).status).toBe(201);
    expect(uncovered(await desk.create(asToken, { ...own, policies_to_add: [ending] }))).toEqual([
      pair('policies_to_add'),
    ]);
    expectProblem(await desk.create(asToken), 403, 'permission_escalation');
  });
});

describe('rule 4: a token_policies token does not inherit the superuser flag', () => {
  test('of its creator, which an owner token has', async () => {
    const root = await acme.addMember('owner');
    await stage.database.asSuperuser('UPDATE identity.account SET superuser = true WHERE id = $1', [root.id]);
    stage.age();
    const [owning, bare] = [await desk.made(root), await desk.made(root, own)];
    expect((await desk.policies(owning.headers)).status).toBe(200);
    expectProblem(await desk.policies(bare.headers), 403, 'forbidden');
    expect((await desk.change(root.headers, bare.name, { mode: 'owner' })).status).toBe(200);
    stage.age();
    expect((await desk.policies(bare.headers)).status).toBe(200);
  });
});

describe('rule 5: mode and the four relations need a permission of their own', () => {
  test('refuses all five fields to a member who may create and update tokens', async () => {
    const { name } = await desk.made(member);
    for (const fields of [
      { mode: 'token_policies' },
      { mode: 'owner' },
      { policies_to_add: [reading] },
      { policies_to_remove: [reading] },
      { groups_to_add: [endingGroup] },
      { groups_to_remove: [endingGroup] },
    ]) {
      const answer = await desk.change(member.headers, name, fields);
      const [field] = Object.keys(fields);
      expect(expectProblem(answer, 403, 'forbidden')['detail']).toContain(
        `Daybook.Core/ApiTokens/${field}/write`,
      );
    }
    expectProblem(await desk.create(member, own), 403, 'forbidden');
    expect((await desk.change(member.headers, name, {})).status).toBe(200);
  });

  test('opens one field with the permission of that field', async () => {
    const clerk = await acme.addMember('member');
    const modes = await desk.policy(['Daybook.Core/ApiTokens/mode/write'], ['/api-tokens', '/api-tokens/**']);
    await desk.group({ users_to_add: [clerk.username], policies_to_add: [modes] });
    const { name } = await desk.made(clerk);
    expect((await desk.change(clerk.headers, name, own)).status).toBe(200);
    expectProblem(await desk.change(clerk.headers, name, { policies_to_add: [reading] }), 403, 'forbidden');
  });

  test('requires ordinary update access beside the permission of fields', async () => {
    const { name } = await desk.made(admin, own);
    const fieldsOnly = await desk.policy(
      ['Daybook.Core/ApiTokens/*/write', 'Daybook.Core/ApiTokens/read', 'Daybook.Core/Members/act_for'],
      ['/**'],
    );
    const viewer = await acme.addMember('viewer');
    await desk.group({ users_to_add: [viewer.username], policies_to_add: [fieldsOnly] });
    expect((await desk.read(viewer.headers, name)).status).toBe(200);
    expectProblem(await desk.change(viewer.headers, name, { mode: 'owner' }), 403, 'forbidden');
  });

  test('returns in field-permissions who may write what, to callers who may create', async () => {
    const ask = (who: TestMember): Promise<Answer> =>
      stage.send('GET', `${tokensPath}field-permissions/?platform_key=${acme.key}`, who.headers);
    const all = (write: boolean) => ({
      mode: { write },
      policies_to_add: { write },
      policies_to_remove: { write },
      groups_to_add: { write },
      groups_to_remove: { write },
    });
    expect((await ask(admin)).json()).toEqual(all(true));
    expect((await ask(member)).json()).toEqual(all(false));
    expectProblem(await ask(await acme.addMember('viewer')), 403, 'forbidden');
    expectProblem(await ask(other.owner), 404, 'not_found');
  });
});

describe('rule 6: tokens are addressed by name, scoped by platform_key', () => {
  test('accepts the same name on two platforms as two tokens', async () => {
    const elsewhere = openTokenDesk(stage, other);
    await desk.made(admin, { name: 'build' });
    await elsewhere.made(other.owner, { name: 'build' });
    await desk.remove(admin.headers, 'build');
    expectProblem(await desk.read(admin.headers, 'build'), 404, 'not_found');
    expect((await elsewhere.read(other.owner.headers, 'build')).status).toBe(200);
  });

  test('accepts names with blanks and letters of any script', async () => {
    const name = 'übersetzung 日本 #1?';
    await desk.made(admin, { name });
    expect((await desk.read(admin.headers, name)).json()).toMatchObject({ name });
    expect((await desk.remove(admin.headers, name)).status).toBe(204);
  });

  test('finds no token by its id', async () => {
    const { name } = await desk.made(admin);
    const [row] = await stage.database.asSuperuser('SELECT id FROM access.platform_token WHERE name = $1', [
      name,
    ]);
    expectProblem(await desk.read(admin.headers, String(row?.['id'])), 404, 'not_found');
  });
});

describe('a change of mode', () => {
  test('owner to token_policies: accepts policies, which then apply', async () => {
    const { name, headers } = await desk.made(admin);
    expect((await desk.policies(headers)).status).toBe(200);
    expect((await desk.change(admin.headers, name, own)).json()).toMatchObject(own);
    stage.age();
    expectProblem(await desk.policies(headers), 403, 'forbidden');
    await desk.change(admin.headers, name, { policies_to_add: [reading] });
    stage.age();
    expect((await desk.policies(headers)).status).toBe(200);
  });

  test('token_policies to owner: requires the creator’s authority to be within the editor’s', async () => {
    const { name } = await desk.made(acme.owner, own);
    const refused = uncovered(await desk.change(admin.headers, name, { mode: 'owner' }));
    expect(refused).toContain(`mode: Daybook.** on /organizations/${acme.key}`);
    expect((await desk.change(acme.owner.headers, name, { mode: 'owner' })).json()).toMatchObject({
      mode: 'owner',
    });
  });

  test('back to token_policies: checks all attachments against the editor again', async () => {
    const { name } = await desk.made(acme.owner, { ...own, groups_to_add: [endingGroup] });
    await desk.change(acme.owner.headers, name, { mode: 'owner' });
    expect((await desk.read(acme.owner.headers, name)).json()).toMatchObject({ groups: [endingGroup] });
    expect(uncovered(await desk.change(admin.headers, name, own))).toEqual([
      `mode: Daybook.Core/Organization/delete on /organizations/${acme.key}`,
    ]);
    const without = { ...own, groups_to_remove: [endingGroup] };
    expectProblem(await desk.change(admin.headers, name, without), 403, 'forbidden');
    expect((await desk.change(acme.owner.headers, name, without)).json()).toMatchObject({ groups: [] });
  });

  test('to owner for a creator who has left: leaves a token without permissions', async () => {
    const leaver = await acme.addMember('admin');
    const { name, headers } = await desk.made(leaver, { ...own, policies_to_add: [reading] });
    await stage.database.asSuperuser(
      'DELETE FROM identity.organization_membership WHERE organization_id = $1 AND account_id = $2',
      [acme.id, leaver.id],
    );
    expect((await desk.policies(headers)).status).toBe(200);
    expect((await desk.change(acme.owner.headers, name, { mode: 'owner' })).status).toBe(200);
    stage.age();
    expectProblem(await desk.policies(headers), 404, 'not_found');
  });
});
