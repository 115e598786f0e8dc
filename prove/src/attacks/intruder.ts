import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type { AccountsStage, StageAccount, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { freshAddress, send } from '../../../apps/server/test/accounts-stage.ts';
import { cookieOf, signInOnForm } from './page-attacks.ts';
import { createSoftwareDevice } from './software-passkey.ts';

const ours = { 'sec-fetch-site': 'same-origin' };

/** A credential or setting that an intruder added, and whether a process still accepts it. */
export interface Trace {
  /** Name of the kind of credential. */
  readonly kind: string;
  readonly acts: (port: number) => Promise<boolean>;
}

export interface Intrusion {
  readonly stage: AccountsStage;
  readonly victim: StageAccount;
  /** A live browser session of the victim. */
  readonly cookie: string;
  /** The password, where the intruder knows it. */
  readonly password: string | null;
}

type Add = (intrusion: Intrusion, port: number) => Promise<Trace>;

const form = (
  port: number,
  path: string,
  cookie: string,
  fields: Readonly<Record<string, string>>,
): Promise<StageAnswer> =>
  send(port, path, { form: fields, headers: { ...ours, cookie }, from: freshAddress() });

/** A session alone becomes tokens through a sign-in of a program. */
async function tokensOf({ cookie }: Intrusion, port: number) {
  const code = await exchangeCodeOf(cookie, port);
  const answer = await send(port, '/api/auth/token/exchange', { json: { code } });
  return answer.json<{ access_token: string; refresh_token: string }>();
}

async function exchangeCodeOf(cookie: string, port: number): Promise<string> {
  const { headers } = await form(port, '/auth/signin/confirm?source=api&port=50000', cookie, {});
  const code = new URL(headers.location ?? 'http://localhost').searchParams.get('token');
  if (code === null) throw new Error('no exchange code');
  return code;
}

async function createOver(
  intrusion: Intrusion,
  port: number,
  path: string,
  json: unknown,
): Promise<StageAnswer> {
  const { access_token } = await tokensOf(intrusion, port);
  const headers = { authorization: `Bearer ${access_token}` };
  const answer = await send(port, path, { json, headers });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer;
}

const organizationOf = ({ victim }: Intrusion): string => victim.email.split('@')[0] ?? '';

/** True while a row of this table exists. */
function rowOf({ stage, victim }: Intrusion, from: string): Trace['acts'] {
  return async () => {
    const { rows } = await stage.superuser.pool.query(`SELECT FROM ${from} LIMIT 1`, [victim.id]);
    return rows.length > 0;
  };
}

/** Actions that need only a live session. */
const withSession: readonly Add[] = [
  async ({ cookie }) => ({
    kind: 'sessions',
    acts: async (port) => (await send(port, '/account', { headers: { cookie } })).status === 200,
  }),
  async (intrusion, at) => {
    const { access_token, refresh_token } = await tokensOf(intrusion, at);
    const headers = { authorization: `Bearer ${access_token}` };
    return {
      kind: 'sessions',
      acts: async (port) => {
        const json = { refresh_token };
        const answers = [
          await send(port, '/api/v1/me', { headers }),
          await send(port, '/api/auth/token/refresh', { json }),
        ];
        return answers.some(({ status }) => status === 200);
      },
    };
  },
  async ({ cookie }, at) => {
    const code = await exchangeCodeOf(cookie, at);
    return {
      kind: 'exchange codes',
      acts: async (port) => (await send(port, '/api/auth/token/exchange', { json: { code } })).status === 200,
    };
  },
  async (intrusion, at) => {
    const { key } = (await createOver(intrusion, at, '/api/v1/api-keys', { name: 'intruder' })).json<{
      key: string;
    }>();
    return {
      kind: 'API keys',
      acts: async (port) =>
        (await send(port, '/api/v1/me', { headers: { 'x-api-key': key } })).status === 200,
    };
  },
  async (intrusion, at) => {
    const platform_key = organizationOf(intrusion);
    const answer = await createOver(intrusion, at, '/dm/api/core/platform/api-tokens/', {
      platform_key,
      username: organizationOf(intrusion),
      name: 'intruder',
      created: new Date().toISOString(),
      expires: '',
    });
    const headers = { authorization: `Api-Token ${answer.json<{ key: string }>().key}` };
    const path = `/dm/api/core/rbac/members/?platform_key=${platform_key}`;
    return {
      kind: 'platform tokens',
      acts: async (port) => (await send(port, path, { headers })).status === 200,
    };
  },
  async (intrusion, at) => {
    const { stage } = intrusion;
    const platform_key = organizationOf(intrusion);
    const email = `accomplice-of-${platform_key}@example.net`;
    const answer = await createOver(intrusion, at, '/dm/api/core/rbac/invitations/', {
      platform_key,
      email,
      role: 'admin',
    });
    const { id } = answer.json<{ id: string }>();
    const { database, clock } = stage.identity;
    const token = await createMailedToken(database, 'join_organization', id, clock.now());
    return {
      kind: 'open invitations',
      acts: async (port) => {
        const fields = { token, username: `x-${platform_key}`, password: 'the password of an accomplice' };
        return (await form(port, '/auth/join/account', '', fields)).status === 303;
      },
    };
  },
  async (intrusion, at) => {
    await form(at, '/account/confirm', intrusion.cookie, { action: 'create_api_key', return: '/account' });
    return {
      kind: 'e-mailed confirmation codes',
      acts: rowOf(intrusion, 'identity.action_code WHERE account_id = $1'),
    };
  },
];

/** A saved search of the victim, to which feeds and webhooks belong; `$1` is the account. */
const savedSearch = `INSERT INTO watch.saved_search (id, account_id, name, q, terms, excluded_terms, mode, hidden_sources,
    hidden_categories, sources_min, filed_under, mail, wording, on_front_page, created_at, updated_at)
  VALUES (gen_random_uuid(), $1, 'Models', 'model', '{model}', '{}', 'all', '{}', '{}', 1, 0, 'never', 'en', false,
    now(), now()) RETURNING id, account_id`;

/** No bytes and searches are stored here: the tests of these domains cover access through what is added. */
const inTables: readonly Add[] = [
  async (intrusion) => {
    await intrusion.stage.superuser.pool.query(
      `INSERT INTO access.share (id, organization_id, resource, level, actions, resources, account_id, created_by, created_at)
       SELECT gen_random_uuid(), organization_id, '/thing', 'read', '{x}', '{x}', id, id, now()
       FROM identity.account WHERE id = $1`,
      [intrusion.victim.id],
    );
    return { kind: 'shares', acts: rowOf(intrusion, 'access.share WHERE created_by = $1') };
  },
  async (intrusion) => {
    const statements = [
      `INSERT INTO storage.project (id, organization_id, workspace_id, name, folded_name, created_by, created_at, updated_at)
       SELECT account.id, account.organization_id, workspace.id, 'project', 'project', account.id, now(), now()
       FROM identity.account JOIN identity.workspace USING (organization_id) WHERE account.id = $1`,
      `INSERT INTO storage.entry (project_id, id, kind, name, folded_name, created_by, created_at, updated_at)
       SELECT id, gen_random_uuid(), 'folder', 'folder', 'folder', id, now(), now() FROM identity.account WHERE id = $1`,
      `INSERT INTO storage.link (id, project_id, entry_id, secret_hash, created_by, created_at, expires_at)
       SELECT gen_random_uuid(), project_id, id, sha256(convert_to(id::text, 'UTF8')), created_by, now(), '2100-01-01'
       FROM storage.entry WHERE created_by = $1`,
    ];
    for (const statement of statements)
      await intrusion.stage.superuser.pool.query(statement, [intrusion.victim.id]);
    return { kind: 'links', acts: rowOf(intrusion, 'storage.link WHERE created_by = $1') };
  },
  async (intrusion) => {
    await intrusion.stage.superuser.pool.query(
      `WITH search AS (${savedSearch})
       INSERT INTO watch.feed_address (search_id, account_id, secret_hash, created_at)
       SELECT id, account_id, sha256(convert_to(id::text, 'UTF8')), now() FROM search`,
      [intrusion.victim.id],
    );
    return {
      kind: 'private feed addresses',
      acts: rowOf(intrusion, 'watch.feed_address WHERE account_id = $1'),
    };
  },
  async (intrusion) => {
    await intrusion.stage.superuser.pool.query(
      `WITH search AS (${savedSearch})
       INSERT INTO watch.webhook (id, search_id, account_id, format, sealed_address, host, sealed_secret, created_at)
       SELECT gen_random_uuid(), id, account_id, 'generic', '', 'receiver.example', '', now() FROM search`,
      [intrusion.victim.id],
    );
    return { kind: 'webhooks', acts: rowOf(intrusion, 'watch.webhook WHERE account_id = $1') };
  },
  async (intrusion) => {
    await intrusion.stage.superuser.pool.query(
      `INSERT INTO agents.schedule (id, organization_id, agent_id, agent_name, account_id, name, question, repeats, hour,
         time_zone, created_at, next_run_at)
       SELECT gen_random_uuid(), organization_id, id, 'agent', id, 'briefing', 'What is new?', 'daily', 9, 'UTC', now(), now()
       FROM identity.account WHERE id = $1`,
      [intrusion.victim.id],
    );
    return { kind: 'schedules', acts: rowOf(intrusion, 'agents.schedule WHERE account_id = $1') };
  },
];

/** Actions that need a confirmation, with the password that this intruder knows. */
const withPassword: readonly Add[] = [
  async (intrusion, at) => {
    const { stage, cookie } = intrusion;
    const origin = stage.identity.authUrl.replace('http:', 'https:');
    const device = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
    const fields = { name: 'intruder', currentPassword: passwordOf(intrusion) };
    const asked = await form(at, '/account/passkeys', cookie, fields);
    const response = device.create(challengeIn(asked));
    const sealed = `${cookie}; ${cookieOf(asked)}`;
    const added = await form(at, '/account/passkeys/finish', sealed, { response });
    if (added.status !== 200) throw new Error(`no passkey: ${added.status}`);
    return {
      kind: 'passkeys',
      acts: async (port) => {
        const page = await send(port, '/auth/passkey');
        const answer = { response: device.get(challengeIn(page)) };
        return (await form(port, '/auth/passkey', cookieOf(page), answer)).status === 303;
      },
    };
  },
  async (intrusion) => {
    await intrusion.stage.superuser.pool.query(
      `INSERT INTO identity.external_identity (issuer, subject, account_id, created_at)
       VALUES ('https://provider.example', $1::text, $1::uuid, now())`,
      [intrusion.victim.id],
    );
    return {
      kind: 'linked sign-in providers',
      acts: rowOf(intrusion, 'identity.external_identity WHERE account_id = $1'),
    };
  },
  async (intrusion, at) => {
    const email = `wanted-by-${organizationOf(intrusion)}@example.net`;
    const fields = { email, currentPassword: passwordOf(intrusion) };
    const asked = await form(at, '/account/email', intrusion.cookie, fields);
    if (asked.status !== 200) throw new Error(`no change of the address: ${asked.status}`);
    return {
      kind: 'pending e-mail address changes',
      acts: rowOf(
        intrusion,
        'identity.email_change WHERE account_id = $1 AND confirmed_at IS NULL AND ended_at IS NULL',
      ),
    };
  },
];

function passwordOf({ password }: Intrusion): string {
  if (password === null) throw new Error('this intruder does not know the password');
  return password;
}

function challengeIn({ text }: StageAnswer): string {
  const [, escaped = ''] = /data-options="([^"]*)"/.exec(text) ?? [];
  const options = escaped.replaceAll('&#34;', '"').replaceAll('&amp;', '&');
  return (JSON.parse(options) as { challenge: string }).challenge;
}

/** The second factor comes last: after it the owner needs its codes wherever the password is required. */
const secondFactor: Add = async (intrusion) => {
  await intrusion.stage.superuser.pool.query(
    `INSERT INTO identity.second_factor (account_id, secret, last_step, created_at) VALUES ($1, '\\x00', 0, now())`,
    [intrusion.victim.id],
  );
  return {
    kind: 'second factor and recovery codes',
    acts: rowOf(intrusion, 'identity.second_factor WHERE account_id = $1'),
  };
};

/** Everything that this intruder can add, in random order, each on a random process. */
export async function leaveTraces(
  intrusion: Intrusion,
  ports: readonly number[],
  random: () => number,
  options: { readonly locksOut: boolean },
): Promise<readonly Trace[]> {
  const adds = [...withSession, ...inTables, ...(intrusion.password === null ? [] : withPassword)];
  const shuffled = adds
    .map((add) => ({ add, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ add }) => add);
  if (options.locksOut && intrusion.password !== null) shuffled.push(secondFactor);
  const traces: Trace[] = [];
  for (const add of shuffled) {
    const port = ports[Math.floor(random() * ports.length)] ?? 0;
    traces.push(await add(intrusion, port));
  }
  return traces;
}

export async function stealSession(port: number, account: StageAccount): Promise<string> {
  return cookieOf(await signInOnForm(port, account));
}
