import type { Access } from '../apps/server/src/access/index.ts';
import { callers, members } from '../apps/server/src/access/index.ts';
import { renameAccount } from '../apps/server/src/identity/accounts/rename-account.ts';
import type { Identity } from '../apps/server/src/identity/index.ts';
import { createMailedToken } from '../apps/server/src/identity/mail/mailed-token-store.ts';
import { createOwner } from '../apps/server/src/identity/registration/create-owner.ts';
import { signUpByInvitation } from '../apps/server/src/identity/registration/sign-up-by-invitation.ts';
import { signUp } from '../apps/server/src/identity/registration/sign-up.ts';
import { openBrowserSession } from '../apps/server/src/identity/sessions/browser-session.ts';
import { signIn } from '../apps/server/src/identity/sign-in/sign-in.ts';
import { grantOf, send } from '../apps/server/test/accounts-stage.ts';

export interface PictureWorld {
  readonly account: { readonly email: string; readonly password: string };
  /** Secrets of mailed links. */
  readonly signUp: string;
  readonly reset: string;
  readonly invitation: string;
}

const password = 'a long enough password';
const phone = {
  address: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
};
const mirror = { address: '198.51.100.23', userAgent: 'daybook-mirror/2.4' };

/** People with long addresses and names in two scripts, which break pages that do not expect them. */
export async function seedPictureWorld({
  identity,
  access,
}: {
  readonly identity: Identity;
  readonly access: Access;
}): Promise<PictureWorld> {
  const email = 'maximiliane.von-und-zu-hohenstein@correspondents.example.org';
  const accountId = await createOwner(identity, {
    username: 'maximiliane',
    email,
    name: '欧阳 Maximiliane',
    password,
    organization: { key: 'morning', name: 'The Morning Desk 晨报' },
    superuser: false,
  });
  const { sessionId } = await openBrowserSession(identity, { accountId, client: phone, method: 'password' });
  const owner = callers.callerOfAccount({ id: accountId, username: 'maximiliane' }, sessionId);
  const inviteTo = async (address: string): Promise<string> => {
    const request = {
      caller: owner,
      platformKey: 'morning',
      email: address,
      role: 'member',
      client: phone,
    } as const;
    const { id } = await members.inviteMember(access, request);
    return createMailedToken(identity.database, 'join_organization', id, identity.clock.now());
  };
  await signIn(identity, { email, password, client: mirror });
  await signIn(identity, { email, password: 'not the password', client: phone }).catch(() => {});
  for (const [username, name] of [
    ['ada', 'Ada Lovelace'],
    ['huiyin', '林徽因'],
  ] as const) {
    const invitation = await inviteTo(`${username}@example.org`);
    const asked = { token: invitation, username, password, client: phone };
    const guestId = await signUpByInvitation(identity, asked);
    await renameAccount(identity, { accountId: guestId, name, client: phone });
  }
  return {
    account: { email, password },
    signUp: await askForAccount(identity, 'grace', 'Grace Hopper'),
    reset: await createMailedToken(identity.database, 'reset_password', accountId, identity.clock.now()),
    invitation: await inviteTo('guest@example.org'),
  };
}

/** A folder shared with a person, a group and an invited person, and a link to it. Returns its id. */
export async function seedSharedFolder(port: number, account: PictureWorld['account']): Promise<string> {
  const signedIn = await send(port, '/api/auth/token', { json: grantOf(account) });
  const headers = { authorization: `Bearer ${signedIn.json<{ access_token: string }>().access_token}` };
  const make = async (path: string, json: object): Promise<string> =>
    String((await send(port, path, { method: 'POST', headers, json })).json<{ id: unknown }>().id);
  const project = await make('/api/v1/projects', { name: '三峡 Field notes' });
  const folder = await make(`/api/v1/projects/${project}/folders`, {
    name: 'Interviews and observations of the third expedition 第三次考察',
  });
  const group = await make('/dm/api/core/rbac/groups/', {
    platform_key: 'morning',
    name: 'Night desk 夜班编辑',
    users_to_add: ['ada', 'maximiliane'],
  });
  for (const share of [
    { member: 'ada', level: 'manage' },
    { group: Number(group), level: 'write' },
    { email: 'a.correspondent.with.a.long.name@newspapers.example.org', level: 'read' },
  ])
    await make(`/api/v1/folders/${folder}/shares`, share);
  await make(`/api/v1/folders/${folder}/links`, {});
  return folder;
}

async function askForAccount(identity: Identity, username: string, name: string): Promise<string> {
  const email = `${username}@example.org`;
  await signUp(identity, { username, name, email, password, client: phone });
  const { id } = await identity.database
    .selectFrom('identity.sign_up')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  return createMailedToken(identity.database, 'confirm_sign_up', id, identity.clock.now());
}
