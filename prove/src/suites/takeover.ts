import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import { credentialKinds } from '../../../apps/server/src/wiring/credential-kinds.ts';
import type { AccountsStage, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { freshAddress, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import type { Trace } from '../attacks/intruder.ts';
import { leaveTraces, stealSession } from '../attacks/intruder.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
const attackers = ['a stolen session', 'the password', 'the mailbox for ten minutes'] as const;
type Attacker = (typeof attackers)[number];
const paths = [
  'a reset that revokes everything',
  'the undoing of a change of the address',
  'the end of everything and a new password',
  'the deletion of the account',
] as const;
type Path = (typeof paths)[number];

/** Kinds that give no access, and why no intruder leaves one. */
const harmless = new Set(['known devices and networks']);

export const suite: Suite = {
  name: 'takeover',
  summary: 'After an owner recovers an account, no credential that an intruder added works.',
  headline: 'credentials of intruders',
  promise:
    'The intruder has a stolen session, the password, or the mailbox for ten minutes. They know every address of the site and add one credential of every kind that they can, in random order, on three api processes. The owner recovers the account by a password reset that revokes everything, by undoing the e-mail change, by ending everything on the security page, or by deleting the account. One second later no credential of the intruder works on any process. The suite counts declared kinds of credentials that no intruder adds, so that a new kind cannot be forgotten.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const settings = {
        DAYBOOK_AUTH_URL: stage.identity.authUrl.replace('http:', 'https:'),
        DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
      };
      const processes = await Promise.all(
        [1, 2, 3].map(() => stage.start({ signInsUnlimited: true, settings })),
      );
      const ports = processes.map(({ port }) => port);
      await attackAll(context, stage, ports);
    } finally {
      await stage.stop();
    }
  },
};

async function attackAll(
  context: SuiteContext,
  stage: AccountsStage,
  ports: readonly number[],
): Promise<void> {
  const random = seededRandom(27);
  const rounds = context.quick ? 1 : 10;
  const added = new Set<string>();
  let checks = 0;
  const acting: string[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const attacker of attackers)
      for (const path of paths) {
        // Without the password or the mailbox the address cannot be changed.
        if (attacker === 'a stolen session' && path === 'the undoing of a change of the address') continue;
        const traces = await takeOver({ stage, ports, random }, attacker, path);
        for (const { kind, acts } of traces) {
          added.add(kind);
          for (const port of ports) {
            checks += 1;
            if (await acts(port)) acting.push(`${kind}: ${attacker}, ${path}`);
          }
        }
      }
  for (const one of acting) context.note(`still acts: ${one}`);
  context.figure({
    name: `of ${credentialKinds.length} kinds of credentials, not added by any intruder`,
    value: credentialKinds.filter(({ name }) => !added.has(name) && !harmless.has(name)).length,
    unit: 'kinds',
    goal: { exactly: 0 },
  });
  context.figure({
    name: `credentials of intruders that work a second after recovery, of ${checks} checked`,
    value: acting.length,
    unit: 'credentials',
    goal: { exactly: 0 },
  });
}

interface Scene {
  readonly stage: AccountsStage;
  readonly ports: readonly number[];
  readonly random: () => number;
}

async function takeOver(scene: Scene, attacker: Attacker, path: Path): Promise<readonly Trace[]> {
  const { stage, ports, random } = scene;
  const port = ports[Math.floor(random() * ports.length)] ?? 0;
  const [victim] = await stage.createAccounts(1);
  if (victim === undefined) throw new Error('no account');
  let known: StageAccount = victim;
  if (attacker === 'the mailbox for ten minutes') {
    known = { ...victim, password: 'a password of the intruder' };
    await reset(stage, port, known, {});
  }
  const cookie = await stealSession(port, known);
  const password = attacker === 'a stolen session' ? null : known.password;
  // With one-time codes of an intruder the owner confirms nothing: recovery by mail is left.
  const locksOut = path === paths[0] || path === paths[1];
  const traces = await leaveTraces({ stage, victim, cookie, password }, ports, random, { locksOut });
  const before = path === paths[1] ? await moveAddress(stage, port, known, cookie) : null;
  await recover({ stage, port, victim: known, undo: before }, path);
  await delay(1_000);
  if (path === 'a reset that revokes everything')
    await control(port, { ...victim, password: ownersPassword });
  return traces;
}

const ownersPassword = 'only the owner knows this one';

/** The owner still gets in: an account that nothing opens would prove nothing. */
async function control(port: number, account: StageAccount): Promise<void> {
  const cookie = await stealSession(port, account);
  const { status } = await send(port, '/account', { headers: { cookie } });
  if (status !== 200) throw new Error(`control: the owner cannot sign in after recovery: ${status}`);
}

async function post(
  port: number,
  path: string,
  fields: Readonly<Record<string, string>>,
  cookie = '',
): Promise<number> {
  const answer = await send(port, path, {
    form: fields,
    headers: { ...ours, cookie },
    from: freshAddress(),
  });
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 2_000)}`);
  return answer.status;
}

async function reset(
  { identity }: AccountsStage,
  port: number,
  { id, password }: StageAccount,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const token = await createMailedToken(identity.database, 'reset_password', id, identity.clock.now());
  await post(port, '/auth/reset', { token, password, ...more });
}

/** The intruder confirms a change of the address; returns the link that undoes it. */
async function moveAddress(
  { identity, superuser }: AccountsStage,
  port: number,
  { id, email }: StageAccount,
  cookie: string,
): Promise<string> {
  const { rows } = await superuser.pool.query<{ id: string }>(
    'SELECT id FROM identity.email_change WHERE account_id = $1 AND ended_at IS NULL ORDER BY id DESC LIMIT 1',
    [id],
  );
  const change = rows[0]?.id ?? '';
  const now = identity.clock.now();
  const token = await createMailedToken(identity.database, 'confirm_email', change, now);
  await post(port, '/account/email/confirm', { token }, cookie);
  const moved = await superuser.pool.query('SELECT FROM identity.account WHERE id = $1 AND email <> $2', [
    id,
    email,
  ]);
  if (moved.rows.length === 0) throw new Error('control: the address was not changed');
  return createMailedToken(identity.database, 'undo_email', change, now);
}

interface Recovery {
  readonly stage: AccountsStage;
  readonly port: number;
  readonly victim: StageAccount;
  readonly undo: string | null;
}

async function recover({ stage, port, victim, undo }: Recovery, path: Path): Promise<void> {
  const { password: currentPassword } = victim;
  switch (path) {
    case 'a reset that revokes everything':
      return reset(stage, port, { ...victim, password: ownersPassword }, { revoke: 'everything' });
    case 'the undoing of a change of the address':
      await post(port, '/auth/undo-email', { token: undo ?? '' });
      return;
    case 'the end of everything and a new password': {
      const cookie = await stealSession(port, victim);
      await post(port, '/account/security/end-all', { currentPassword }, cookie);
      await post(port, '/account/password', { currentPassword, newPassword: ownersPassword }, cookie);
      return;
    }
    case 'the deletion of the account': {
      const cookie = await stealSession(port, victim);
      await post(port, '/account/data/delete', { currentPassword }, cookie);
      return;
    }
    default:
      throw new Error(`no recovery by ${String(path satisfies never)}`);
  }
}
