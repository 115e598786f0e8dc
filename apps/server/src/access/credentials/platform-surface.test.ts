import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import { createCheckedSecret } from '../../foundation/checked-secret.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { addMs } from '../../foundation/instant.ts';
import { insertToken } from './platform-token-store.ts';
import type { TokenMode } from './platform-token.ts';

const requestsPerMinute = 60;

let stage: TestAccess;
let acme: TestOrganization;
let admin: TestMember;
beforeAll(async () => {
  stage = await startTestAccess({ credentialRequestsPerMinute: requestsPerMinute });
  acme = await stage.createOrganization();
});
afterAll(() => stage.stop());

type Headers = Readonly<Record<string, string>>;
let addresses = 0;
const policies = (headers: Headers, key = acme.key): Promise<Answer> => {
  addresses += 1;
  const from = { 'x-forwarded-for': `10.8.${addresses >> 8}.${addresses & 255}` };
  return stage.send('GET', `/dm/api/core/rbac/policies/?platform_key=${key}`, { ...from, ...headers });
};

let named = 0;
async function issue(
  creator: TestMember,
  { mode = 'owner', lifeMs = 0 }: { readonly mode?: TokenMode; readonly lifeMs?: number } = {},
): Promise<Headers & { readonly id: string }> {
  const secret = createCheckedSecret();
  const id = stage.identity.ids.next<'platform token'>();
  const now = stage.clock.now();
  const token = {
    id,
    organizationId: acme.id,
    name: `token ${(named += 1)}`,
    creator: { id: creator.id, username: creator.username },
    mode,
    createdAt: now,
    expires: '',
    expiresIn: null,
    expiresAt: lifeMs === 0 ? null : addMs(now, lifeMs),
  };
  await insertToken(stage.identity.database, token, sha256Bytes(secret));
  return { authorization: `Api-Token ${secret}`, id };
}
const authorization = ({ authorization: value }: Headers): Headers => ({ authorization: value ?? '' });

describe('authentication', () => {
  test('accepts the access token of a member and a platform token', async () => {
    admin = await acme.addMember('admin');
    expect((await policies(admin.headers)).status).toBe(200);
    expect((await policies(authorization(await issue(admin)))).status).toBe(200);
  });

  test('refuses a missing, malformed or unknown credential, or one of another kind', async () => {
    const { authorization: good = '' } = await issue(admin);
    const secret = good.slice('Api-Token '.length);
    const created = await stage.send('POST', '/api/v1/api-keys', admin.headers, { name: 'k' });
    const apiKey = created.json()['key'] as string;
    expect((await stage.send('GET', '/api/v1/me', { 'x-api-key': apiKey })).status).toBe(200);
    for (const headers of [
      {},
      { 'x-api-key': apiKey },
      { 'x-api-key': secret },
      { authorization: `Api-Token ${apiKey}` },
      { authorization: `Bearer ${secret}` },
      { authorization: `Api-Token ${createCheckedSecret()}` },
      { authorization: `Api-Token ${secret.toUpperCase()}x` },
      { authorization: 'Api-Token' },
      { authorization: secret },
    ]) {
      const answer = await policies(headers);
      expectProblem(answer, 401, 'unauthenticated');
      expect(answer.headers['www-authenticate']).toBe('Api-Token, Bearer');
    }
  });

  test('accepts a token until it expires, to the millisecond', async () => {
    const token = authorization(await issue(admin, { lifeMs: 500 }));
    expect((await policies(token)).status).toBe(200);
    stage.clock.advance({ milliseconds: 499 });
    expect((await policies(token)).status).toBe(200);
    stage.clock.advance({ milliseconds: 1 });
    expectProblem(await policies(token), 401, 'unauthenticated');
  });

  test('treats a token or a member of another organization as a non-member', async () => {
    const other = await stage.createOrganization();
    expectProblem(await policies(authorization(await issue(admin)), other.key), 404, 'not_found');
    expectProblem(await policies(admin.headers, other.key), 404, 'not_found');
    expectProblem(await policies(admin.headers, 'nobody-has-this'), 404, 'not_found');
  });

  test('limits the requests per minute of each credential, across data and platform', async () => {
    const busy = await acme.addMember('admin');
    for (let sent = 0; sent < requestsPerMinute - 1; sent += 1)
      expect((await policies(busy.headers)).status).toBe(200);
    expect((await stage.send('GET', '/api/v1/me', busy.headers)).status).toBe(200);
    expectProblem(await policies(busy.headers), 429, 'rate_limited');
    expect((await policies(authorization(await issue(busy)))).status).toBe(200);
  });
});

describe('the permissions of a token', () => {
  const setRole = (member: TestMember, role: string): Promise<unknown> =>
    stage.database.asSuperuser(
      'UPDATE identity.organization_membership SET role = $3 WHERE organization_id = $1 AND account_id = $2',
      [acme.id, member.id, role],
    );

  test('in owner mode are those of its creator, within 900 ms without a notification', async () => {
    const creator = await acme.addMember('admin');
    const token = authorization(await issue(creator));
    expect((await policies(token)).status).toBe(200);
    await setRole(creator, 'viewer');
    stage.clock.advance({ milliseconds: 899 });
    expect((await policies(token)).status).toBe(200);
    stage.clock.advance({ milliseconds: 1 });
    expectProblem(await policies(token), 403, 'forbidden');
    expectProblem(await policies(creator.headers), 403, 'forbidden');
    await setRole(creator, 'owner');
    stage.age();
    expect((await policies(token)).status).toBe(200);
  });

  test('change at once when the notification arrives', async () => {
    const creator = await acme.addMember('admin');
    const token = authorization(await issue(creator));
    expect((await policies(token)).status).toBe(200);
    await setRole(creator, 'viewer');
    stage.access.forget(acme.id);
    expectProblem(await policies(token), 403, 'forbidden');
  });

  test('in owner mode are empty once its creator has left the organization', async () => {
    const creator = await acme.addMember('admin');
    const token = authorization(await issue(creator));
    await stage.database.asSuperuser(
      'DELETE FROM identity.organization_membership WHERE organization_id = $1 AND account_id = $2',
      [acme.id, creator.id],
    );
    expectProblem(await policies(token), 404, 'not_found');
  });

  test('in token_policies mode are its policies, without the role and superuser flag of its creator', async () => {
    const creator = await acme.addMember('owner');
    await stage.database.asSuperuser('UPDATE identity.account SET superuser = true WHERE id = $1', [
      creator.id,
    ]);
    const bare = await issue(creator, { mode: 'token_policies' });
    expectProblem(await policies(authorization(bare)), 403, 'forbidden');
    const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', creator.headers, {
      platform_key: acme.key,
      name: 'reading policies',
      actions: ['Daybook.Core/Policies/read'],
      resources: [`/organizations/${acme.key}/policies`],
    });
    await stage.database.asSuperuser('INSERT INTO access.token_policy VALUES ($1, $2, $3)', [
      acme.id,
      bare.id,
      policy.json()['id'],
    ]);
    stage.age();
    await stage.send(
      'PATCH',
      `/dm/api/core/rbac/policies/${String(policy.json()['id'])}?platform_key=${acme.key}`,
      creator.headers,
      { name: 'reading' },
    );
    stage.age();
    expect((await policies(authorization(bare))).status).toBe(200);
  });

  test('admits a superuser to every organization, and a token of theirs only to its own', async () => {
    const other = await stage.createOrganization();
    const root = await acme.addMember('viewer');
    await stage.database.asSuperuser('UPDATE identity.account SET superuser = true WHERE id = $1', [root.id]);
    stage.age();
    expect((await policies(root.headers, other.key)).status).toBe(200);
    const token = authorization(await issue(root));
    expect((await policies(token)).status).toBe(200);
    expectProblem(await policies(token, other.key), 404, 'not_found');
  });
});

test('records the use of a token at most once a minute, and not once it has expired', async () => {
  const lifeMs = 120_000;
  const token = await issue(admin, { lifeMs });
  const lastUse = async (): Promise<unknown> => {
    await policies(authorization(token));
    const [row] = await stage.database.asSuperuser(
      'SELECT (extract(epoch FROM last_used_at) * 1000)::float8 AS used FROM access.platform_token WHERE id = $1',
      [token.id],
    );
    return row?.['used'];
  };
  const first = stage.clock.nowMs();
  expect(await lastUse()).toBe(first);
  stage.clock.advance({ seconds: 59 });
  expect(await lastUse()).toBe(first);
  stage.clock.advance({ seconds: 1 });
  expect(await lastUse()).toBe(first + 60_000);
  stage.clock.advance({ seconds: 60 });
  expect(await lastUse()).toBe(first + 60_000);
});

test('stores no secret in the database', async () => {
  const { authorization: header = '' } = await issue(admin);
  const secret = header.slice('Api-Token '.length);
  const rows = await stage.database.asSuperuser('SELECT token::text FROM access.platform_token AS token');
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('prevents the application role from changing the owner, secret or expiry of a token', async () => {
  for (const change of ['secret_hash = secret_hash', 'created_by = created_by', 'expires_at = NULL'])
    await expect(stage.database.pool.query(`UPDATE access.platform_token SET ${change}`)).rejects.toThrow(
      /permission denied/,
    );
});
