import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { shares } from '../../access/index.ts';
import { acceptInvitation, readInvitationLink } from '../../identity/invitations/accept-invitation.ts';
import { createMailedToken } from '../../identity/mail/mailed-token-store.ts';

let stage: TestStorage;
let file: string;
let guest: TestMember;
let key: { readonly id: string; readonly headers: TestMember['headers'] };
beforeAll(async () => {
  stage = await startTestStorage();
});
afterAll(() => stage.stop());
beforeEach(async () => {
  const { id } = await stage.newProject();
  file = (await stage.newFile(id, 'file', 'x')).id;
  guest = await stage.acme.addMember('guest');
  const made = await stage.send('POST', '/api/v1/api-keys', stage.owner, { name: 'leaked' });
  key = { id: String(made.json()['id']), headers: { 'x-api-key': String(made.json()['key']) } };
});

const share = (to: object, headers = key.headers): Promise<Answer> =>
  stage.send('POST', `/api/v1/files/${file}/shares`, headers, { level: 'read', ...to });
const readBy = async (who: TestMember): Promise<number> => {
  stage.age();
  return (await stage.contentOf(file, who.headers)).status;
};
const revoke = async (): Promise<void> => {
  expect((await stage.send('DELETE', `/api/v1/api-keys/${key.id}`, stage.owner)).status).toBe(200);
};
/** Moves the end of the key into the past. */
const expire = async (): Promise<void> => {
  await stage.database.asSuperuser(
    "UPDATE identity.api_key SET created_at = '2020-01-01', expires_at = '2020-01-02' WHERE id = $1",
    [key.id],
  );
};
const listed = async (): Promise<unknown> =>
  (await stage.send('GET', `/api/v1/files/${file}/shares`, stage.owner)).json()['data'];
const invitationOf = async (shared: Answer): Promise<string> => {
  const query = 'SELECT invitation_id FROM access.share WHERE id = $1';
  const [row] = await stage.database.asSuperuser(query, [shared.json()['id']]);
  const { database, clock } = stage.identity;
  return createMailedToken(database, 'join_organization', String(row?.['invitation_id']), clock.now());
};

test.each([
  ['is revoked', revoke],
  ['expires', expire],
])('a share that was created with an API key ends when the key %s', async (_, end) => {
  expect((await share({ member: guest.username })).status).toBe(201);
  expect(await readBy(guest)).toBe(200);
  await end();
  expect(await readBy(guest)).toBe(404);
  expect(await listed()).toEqual([]);
  // The recipient can be given it again.
  expect((await share({ member: guest.username }, stage.owner)).status).toBe(201);
  expect(await readBy(guest)).toBe(200);
});

test('a share with a group that was created with an API key ends with the key', async () => {
  const group = { platform_key: stage.acme.key, name: `readers ${key.id}`, users_to_add: [guest.username] };
  const made = await stage.send('POST', '/dm/api/core/rbac/groups/', stage.owner, group);
  await share({ group: made.json()['id'] });
  expect(await readBy(guest)).toBe(200);
  await revoke();
  expect(await readBy(guest)).toBe(404);
});

test('an invitation that was created with an API key ends with the key', async () => {
  const token = await invitationOf(await share({ email: 'accomplice@example.net' }));
  expect(await readInvitationLink(stage.identity, token)).toMatchObject({ role: 'guest' });
  await revoke();
  expect(await readInvitationLink(stage.identity, token)).toBeNull();
  const { id: accountId } = await stage.createAccount();
  const client = { address: '192.0.2.1', userAgent: 'browser' };
  await expect(acceptInvitation(stage.identity, { token, accountId, client })).rejects.toThrow(
    /no longer valid/,
  );
});

test('a share that became active with an invitation ends with the key that created it', async () => {
  const token = await invitationOf(await share({ email: 'helper@example.net' }));
  const account = await stage.createAccount();
  const client = { address: '192.0.2.1', userAgent: 'browser' };
  await acceptInvitation(stage.identity, { token, accountId: account.id, client });
  const { access_token } = await stage.signIn(account);
  const joined = { ...account, headers: { authorization: `Bearer ${access_token}` } };
  expect(await readBy(joined)).toBe(200);
  await revoke();
  expect(await readBy(joined)).toBe(404);
});

test('a worker deletes shares that ended with their key, and no others', async () => {
  await share({ member: guest.username });
  const other = await share({ member: stage.viewer.username }, stage.owner);
  await revoke();
  await shares.deleteEndedShares(stage.upkeep.database, null);
  const query = 'SELECT id FROM access.share WHERE resource LIKE $1';
  const rows = await stage.database.asSuperuser(query, [`%${file}`]);
  expect(rows).toEqual([{ id: other.json()['id'] }]);
});
