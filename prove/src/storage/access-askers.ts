import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';
import type { StageAccount, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';

type Headers = Readonly<Record<string, string>>;

export interface StageOrganization {
  readonly id: string;
  readonly key: string;
}

/** A user with an account, an access token and an API key. */
export interface StagePerson extends StageAccount {
  readonly username: string;
  readonly bearer: Headers;
  readonly apiKey: (organizations?: readonly string[]) => Promise<Headers>;
  readonly ownOrganization: string;
}

export async function organizationOf(
  { superuser }: StorageStage,
  accountId: string,
): Promise<StageOrganization> {
  const { rows } = await superuser.pool.query<StageOrganization>(
    'SELECT organization.id, key FROM identity.account JOIN identity.organization ON organization.id = organization_id WHERE account.id = $1',
    [accountId],
  );
  const [organization] = rows;
  if (organization === undefined) throw new Error('the account has no organization');
  return organization;
}

export async function signUp(stage: StorageStage): Promise<StagePerson> {
  const [account] = await stage.createAccounts(1);
  if (account === undefined) throw new Error('no account was made');
  const { port = 0 } = stage.processes[0] ?? {};
  const signedIn = await send(port, '/api/auth/token', { json: grantOf(account) });
  const { access_token: token } = signedIn.json<{ access_token: string }>();
  const bearer = { authorization: `Bearer ${token}` };
  const { id: ownOrganization } = await organizationOf(stage, account.id);
  let keys = 0;
  return {
    ...account,
    username: account.email.replace(/@.*/, ''),
    bearer,
    ownOrganization,
    apiKey: async (organizations) => {
      const name = `key ${(keys += 1)}`;
      const json = { name, ...(organizations !== undefined && { scopes: { organizations } }) };
      const { key } = made(await send(port, '/api/v1/api-keys', { json, headers: bearer })).json<{
        key: string;
      }>();
      return { 'x-api-key': key };
    },
  };
}

/** Inserted directly: invitations are tested elsewhere. */
export async function addMember(
  stage: StorageStage,
  organization: StageOrganization,
  person: StagePerson,
  role: 'guest' | 'member',
): Promise<void> {
  await stage.superuser.pool.query(
    `INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
     VALUES ($1, $2, $3, now())`,
    [organization.id, person.id, role],
  );
}

export async function addGuest(
  stage: StorageStage,
  organization: StageOrganization,
  person: StagePerson,
): Promise<void> {
  await addMember(stage, organization, person, 'guest');
}

/** Through a group of their own, whose number is answered. */
export async function givePolicies(
  stage: StorageStage,
  { key }: StageOrganization,
  person: StagePerson,
  policies: readonly WrittenPolicy[],
): Promise<number> {
  const numbers: number[] = [];
  for (const [index, policy] of policies.entries()) {
    const json = { platform_key: key, name: `${person.username} ${index}`, ...policy };
    numbers.push(
      made(await stage.ask('POST', '/dm/api/core/rbac/policies/', json)).json<{ id: number }>().id,
    );
  }
  const group = {
    platform_key: key,
    name: person.username,
    users_to_add: [person.username],
    policies_to_add: numbers,
  };
  return made(await stage.ask('POST', '/dm/api/core/rbac/groups/', group)).json<{ id: number }>().id;
}

function made(answer: StageAnswer): StageAnswer {
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}
