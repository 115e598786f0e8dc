import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import { revokeApiKey } from '../../../apps/server/src/identity/api-keys/revoke-api-key.ts';
import type { AccountsProcess, AccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';

export const suite: Suite = {
  name: 'revocation',
  summary: 'a revoked key or session over three processes, with notifications and without',
  promise:
    'A revoked API key and an ended session are refused by each of three processes within one second of the answer that confirmed it, also where notifications do not arrive. Every process is asked all the time, so that each holds the credential in its cache at the moment it ends.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      for (const notifications of [true, false]) {
        const settings = { DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000' };
        const processes = await Promise.all(
          [1, 2, 3].map(() => stage.start({ notifications, settings, signInsUnlimited: true })),
        );
        for (const kind of ['API key', 'session'] as const)
          await measure(context, stage, processes, kind, notifications);
        for (const { child } of processes) child.kill('SIGKILL');
      }
    } finally {
      await stage.stop();
    }
  },
};

interface Subject {
  readonly headers: Readonly<Record<string, string>>;
  readonly revoke: () => Promise<unknown>;
}

async function createSubject(
  stage: AccountsStage,
  { port }: AccountsProcess,
  kind: 'API key' | 'session',
): Promise<Subject> {
  const [account] = await stage.createAccounts(1);
  const tokens = (await send(port, '/api/auth/token', { json: account })).json<{
    access_token: string;
    refresh_token: string;
  }>();
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  if (kind === 'session') {
    const json = { refresh_token: tokens.refresh_token };
    return { headers: bearer, revoke: () => send(port, '/api/auth/token/revoke', { json }) };
  }
  const created = await send(port, '/api/v1/api-keys', { json: { name: 'prove' }, headers: bearer });
  const { id, key } = created.json<{ id: string; key: string }>();
  const accountId = account?.id as Parameters<typeof revokeApiKey>[1]['accountId'];
  const keyId = id as Parameters<typeof revokeApiKey>[1]['keyId'];
  const client = { address: 'stage', userAgent: 'stage' };
  return {
    headers: { 'x-api-key': key },
    revoke: () => revokeApiKey(stage.identity, { accountId, keyId, client }),
  };
}

async function measure(
  context: SuiteContext,
  stage: AccountsStage,
  processes: readonly AccountsProcess[],
  kind: 'API key' | 'session',
  notifications: boolean,
): Promise<void> {
  const [first] = processes as [AccountsProcess];
  const latest: number[] = [];
  let resurrected = 0;
  for (let round = 0; round < (context.quick ? 1 : 20); round += 1) {
    const { headers, revoke } = await createSubject(stage, first, kind);
    const lastAccepted = processes.map(() => 0);
    const refusedAfter = processes.map(() => false);
    const watching = new AbortController();
    const watch = async ({ port }: AccountsProcess, index: number): Promise<void> => {
      while (!watching.signal.aborted) {
        const { status } = await send(port, '/api/v1/me', { headers });
        if (status === 200) {
          if (refusedAfter[index] === true) resurrected += 1;
          lastAccepted[index] = performance.now();
        } else refusedAfter[index] = true;
        await delay(2);
      }
    };
    const watchers = processes.map(watch);
    await delay(150 + ((round * 97) % 800));
    await revoke();
    const revokedAt = performance.now();
    await delay(1_400);
    watching.abort();
    await Promise.all(watchers);
    latest.push(Math.max(...lastAccepted.map((at) => Math.max(0, at - revokedAt))));
  }
  const how = notifications ? 'with notifications' : 'without notifications';
  context.figure({
    name: `${kind}, ${how}: last accepted by any of three processes after its end`,
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
