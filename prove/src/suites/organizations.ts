import type { Suite, SuiteContext } from '@daybook/evidence';
import { median, seededRandom } from '@daybook/evidence';

import type { AccountsProcess, AccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import type { Revocable } from '../http/revocation-watch.ts';
import { watchRevocation } from '../http/revocation-watch.ts';
import { OrganizationClients } from '../organizations/organization-clients.ts';

const clientsAtOnce = 8;

export const suite: Suite = {
  name: 'organizations',
  summary:
    'Concurrent invitations, role changes and removals always leave an owner, and a removed member is refused within a second.',
  promise:
    'Eight people on three api processes invite, resend, cancel, accept, change roles, remove, leave, switch, rename and create organizations at random. The suite replays the changes in the order of the audit log. Each change is within what its author held at that moment, and a role from an invitation within what its sender held when it was accepted; no organization is ever without an owner, and the model ends with the contents of the tables. All three processes refuse a removed member, and every token that the member created, within one second.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const settings = { DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000', DAYBOOK_LOG_LEVEL: 'error' };
      const processes = await Promise.all(
        [1, 2, 3].map(() => stage.start({ settings, signInsUnlimited: true })),
      );
      await race(context, stage, processes);
      await removals(context, stage, processes);
    } finally {
      await stage.stop();
    }
  },
};

async function race(
  context: SuiteContext,
  stage: AccountsStage,
  processes: readonly AccountsProcess[],
): Promise<void> {
  const people = await OrganizationClients.open(stage, processes, seededRandom(17), clientsAtOnce);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let unexpected = 0;
  const batches = context.quick ? 40 : 1_250;
  for (let batch = 0; batch < batches; batch += 1) {
    const answers = await Promise.all(people.clients.map((client) => people.move(client)));
    for (const { status, text } of answers) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if ([200, 201, 204, 303, 400, 403, 404, 409].includes(status)) continue;
      unexpected += 1;
      context.note(text);
    }
    if (batch % 4 === 3) faults.push(...(await people.judge()).faults);
  }
  const { judged, faults: last } = await people.judge();
  faults.push(...last);
  const differences = await people.differences();
  for (const line of [...faults, ...differences].slice(0, 8)) context.note(line);
  const count = (name: string, value: number, exactly?: number): void =>
    context.figure({ name, value, unit: 'changes', ...(exactly === undefined ? {} : { goal: { exactly } }) });
  count(`changes requested, ${clientsAtOnce} at once`, batches * clientsAtOnce);
  count('of these done and judged again', judged);
  count(
    'of those requested, refused',
    [400, 403, 404, 409].reduce((sum, one) => sum + (statuses.get(one) ?? 0), 0),
  );
  count('answered with any other status', unexpected, 0);
  const orphaned = faults.filter((fault) => fault.endsWith('no owner is left')).length;
  count('that left an organization without an owner', orphaned, 0);
  count(
    'that granted or removed more than their author held, or broke the order',
    faults.length - orphaned,
    0,
  );
  count('rows in which the model and the tables differ', differences.length, 0);
}

/** A member with a session and a token of either mode, used on every process while the owner removes them. */
async function removals(
  context: SuiteContext,
  stage: AccountsStage,
  processes: readonly AccountsProcess[],
): Promise<void> {
  const ports = processes.map(({ port }) => port);
  const latest: number[] = [];
  let resurrected = 0;
  for (let round = 0; round < (context.quick ? 1 : 15); round += 1) {
    const subjects = await createSubjects(stage, ports[0] ?? 0);
    const timing = { beforeMs: 150 + ((round * 97) % 800), afterMs: 1_400 };
    const outcomes = await Promise.all(subjects.map((subject) => watchRevocation(ports, subject, timing)));
    latest.push(Math.max(...outcomes.map(({ lastAcceptedMs }) => lastAcceptedMs)));
    resurrected += outcomes.reduce((sum, one) => sum + one.resurrected, 0);
  }
  const name = 'a removed member or a token of theirs, last accepted by any of three processes';
  context.figure({ name, value: Math.max(...latest), unit: 'ms', goal: { atMost: 1_000 } });
  context.figure({ name: 'the same, median round', value: median(latest), unit: 'ms' });
  context.figure({
    name: 'the same, accepted again after a refusal',
    value: resurrected,
    unit: 'requests',
    goal: { exactly: 0 },
  });
}

async function createSubjects(stage: AccountsStage, port: number): Promise<readonly Revocable[]> {
  const accounts = await stage.createAccounts(2);
  const [owner, member] = await Promise.all(
    accounts.map(async (account) => {
      const { access_token, user } = (await send(port, '/api/auth/token', { json: grantOf(account) })).json<{
        access_token: string;
        user: { organizationId: string };
      }>();
      const headers = { authorization: `Bearer ${access_token}` };
      return { id: account.id, username: account.email.replace(/@.*/, ''), headers, ...user };
    }),
  );
  if (owner === undefined || member === undefined) throw new Error('two accounts are required');
  const key = owner.username;
  await stage.superuser.pool.query(
    `INSERT INTO identity.organization_membership VALUES ($1, $2, 'admin', now())`,
    [owner.organizationId, member.id],
  );
  const post = async (path: string, json: unknown): Promise<Record<string, unknown>> =>
    (await send(port, path, { json, headers: member.headers })).json();
  const policy = await post('/dm/api/core/rbac/policies/', {
    platform_key: key,
    name: 'members',
    actions: ['Daybook.Core/Members/read'],
    resources: [`/organizations/${key}/members`],
  });
  const token = async (mode: string, more: object): Promise<Revocable['headers']> => {
    const asked = { username: member.username, name: mode, platform_key: key, expires: '', mode };
    const created = new Date().toISOString();
    const made = await post('/dm/api/core/platform/api-tokens/', { ...asked, created, ...more });
    return { authorization: `Api-Token ${String(made['key'])}` };
  };
  const credentials = [
    member.headers,
    await token('owner', {}),
    await token('token_policies', { policies_to_add: [policy['id']] }),
  ];
  const removal = `/dm/api/core/rbac/members/${member.username}?platform_key=${key}`;
  let removed: Promise<unknown> | null = null;
  const revoke = (): Promise<unknown> =>
    (removed ??= send(port, removal, { method: 'DELETE', headers: owner.headers }));
  const path = `/dm/api/core/rbac/members/?platform_key=${key}`;
  return credentials.map((headers) => ({ path, headers, revoke }));
}
