import type { Suite, SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import { revokeApiKey } from '../../../apps/server/src/identity/api-keys/revoke-api-key.ts';
import type { AccountsProcess, AccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import type { Revocable } from '../http/revocation-watch.ts';
import { watchRevocation } from '../http/revocation-watch.ts';

export const suite: Suite = {
  name: 'revocation',
  summary:
    'A revoked key, session or permission is refused by every process within a second, with and without notifications.',
  promise:
    'API keys and sessions are revoked, and members and platform tokens lose permissions, while every process is requested all the time, so that each has the credential and its authority in its cache at that moment. Each of three processes refuses them within one second of the confirmed revocation, also without notifications.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      for (const notifications of [true, false]) {
        const settings = { DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000' };
        const processes = await Promise.all(
          [1, 2, 3].map(() => stage.start({ notifications, settings, signInsUnlimited: true })),
        );
        for (const kind of kinds) await measure(context, stage, processes, kind, notifications);
        for (const { child } of processes) child.kill('SIGKILL');
      }
    } finally {
      await stage.stop();
    }
  },
};

const kinds = ['API key', 'session', 'permission of a member', 'permission of a platform token'] as const;
type Kind = (typeof kinds)[number];

async function createSubject(
  stage: AccountsStage,
  { port }: AccountsProcess,
  kind: Kind,
): Promise<Revocable> {
  const [account] = await stage.createAccounts(1);
  const tokens = await signIn(port, account);
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  if (kind === 'permission of a member') return createMember(stage, port, tokens, bearer);
  if (kind === 'permission of a platform token') return createToken(stage, port, tokens, bearer);
  const path = '/api/v1/me';
  if (kind === 'session') {
    const json = { refresh_token: tokens.refresh_token };
    return { path, headers: bearer, revoke: () => send(port, '/api/auth/token/revoke', { json }) };
  }
  const created = await send(port, '/api/v1/api-keys', { json: { name: 'prove' }, headers: bearer });
  const { id, key } = created.json<{ id: string; key: string }>();
  const accountId = account?.id as Parameters<typeof revokeApiKey>[1]['accountId'];
  const keyId = id as Parameters<typeof revokeApiKey>[1]['keyId'];
  const client = { address: 'stage', userAgent: 'stage' };
  return {
    path,
    headers: { 'x-api-key': key },
    revoke: () => revokeApiKey(stage.identity, { accountId, keyId, client }),
  };
}

interface SignedIn {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly organizationId: string };
}

async function signIn(port: number, account: unknown): Promise<SignedIn> {
  return (await send(port, '/api/auth/token', { json: grantOf(account) })).json<SignedIn>();
}

/** An admin whom the owner demotes to viewer. */
async function createMember(
  stage: AccountsStage,
  port: number,
  { user }: SignedIn,
  owner: Revocable['headers'],
): Promise<Revocable> {
  const { pool } = stage.superuser;
  const { organizationId } = user;
  const [admin] = await stage.createAccounts(1);
  await pool.query(`INSERT INTO identity.organization_membership VALUES ($1, $2, 'admin', now())`, [
    organizationId,
    admin?.id,
  ]);
  const { access_token } = await signIn(port, admin);
  const key = await keyOf(stage, organizationId);
  const username = admin?.email.replace(/@.*/, '');
  const path = `/dm/api/core/rbac/policies/?platform_key=${key}`;
  const member = `/dm/api/core/rbac/members/${username}?platform_key=${key}`;
  return {
    path,
    headers: { authorization: `Bearer ${access_token}` },
    revoke: () => send(port, member, { method: 'PATCH', json: { role: 'viewer' }, headers: owner }),
  };
}

/** With one policy, which the owner detaches. */
async function createToken(
  stage: AccountsStage,
  port: number,
  { user }: SignedIn,
  owner: Revocable['headers'],
): Promise<Revocable> {
  const key = await keyOf(stage, user.organizationId);
  const policies = '/dm/api/core/rbac/policies/';
  const tokens = '/dm/api/core/platform/api-tokens/';
  const text = {
    actions: ['Daybook.Core/Policies/read'],
    resources: [`/organizations/${key}/policies`],
  };
  const made = await send(port, policies, {
    json: { platform_key: key, name: 'reading', ...text },
    headers: owner,
  });
  const { id } = made.json<{ id: number }>();
  const json = {
    username: key,
    name: 'prove',
    platform_key: key,
    created: new Date().toISOString(),
    expires: '',
    mode: 'token_policies',
    policies_to_add: [id],
  };
  const created = await send(port, tokens, { json, headers: owner });
  const change = `${tokens}prove?platform_key=${key}`;
  return {
    path: `${policies}?platform_key=${key}`,
    headers: { authorization: `Api-Token ${created.json<{ key: string }>().key}` },
    revoke: () => send(port, change, { method: 'PATCH', json: { policies_to_remove: [id] }, headers: owner }),
  };
}

async function keyOf({ superuser }: AccountsStage, organizationId: string): Promise<string> {
  const { rows } = await superuser.pool.query<{ key: string }>(
    'SELECT key FROM identity.organization WHERE id = $1',
    [organizationId],
  );
  return rows[0]?.key ?? '';
}

async function measure(
  context: SuiteContext,
  stage: AccountsStage,
  processes: readonly AccountsProcess[],
  kind: Kind,
  notifications: boolean,
): Promise<void> {
  const [first] = processes as [AccountsProcess];
  const latest: number[] = [];
  let resurrected = 0;
  for (let round = 0; round < (context.quick ? 1 : 20); round += 1) {
    const outcome = await watchRevocation(
      processes.map(({ port }) => port),
      await createSubject(stage, first, kind),
      { beforeMs: 150 + ((round * 97) % 800), afterMs: 1_400 },
    );
    latest.push(outcome.lastAcceptedMs);
    resurrected += outcome.resurrected;
  }
  const how = notifications ? 'with notifications' : 'without notifications';
  context.figure({
    name: `${kind}, ${how}: last accepted by any of three processes after its revocation`,
    value: Math.max(...latest),
    unit: 'ms',
    goal: { atMost: 1_000 },
  });
  context.figure({ name: `${kind}, ${how}: the same, median round`, value: median(latest), unit: 'ms' });
  context.figure({
    name: `${kind}, ${how}: accepted again after a refusal`,
    value: resurrected,
    unit: 'requests',
    goal: { exactly: 0 },
  });
}
