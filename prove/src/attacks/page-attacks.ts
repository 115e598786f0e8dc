import type { RouteDeclaration } from '../../../apps/server/src/foundation/http/route.ts';
import type { StageAccount, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import { leadsHome, redirectAttacks } from './redirect-attacks.ts';

/** Pages as a browser loads them: an api process, its own origin, and a signed-in account. */
export interface PageTarget {
  readonly port: number;
  readonly origin: string;
  readonly account: StageAccount;
  readonly cookie: string;
  /** Of the organization that the account owns. */
  readonly organizationKey: string;
  readonly routes: readonly RouteDeclaration[];
}

/** The attempts, and those that succeeded. */
export interface AttackOutcome {
  readonly tried: number;
  readonly through: readonly string[];
}

const ours = { 'sec-fetch-site': 'same-origin' };

export function cookieOf({ headers }: StageAnswer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** The device cookie that a sign-in sets beside the session. */
export function deviceCookieOf({ headers }: StageAnswer): string {
  const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  return cookies.find((cookie) => cookie.includes('daybook-device=')) ?? '';
}

export async function signInOnForm(port: number, account: StageAccount, cookie = ''): Promise<StageAnswer> {
  const { email, password } = account;
  return send(port, '/auth/signin', { form: { email, password }, headers: { ...ours, cookie } });
}

function pathOf({ path }: RouteDeclaration, { account, organizationKey }: PageTarget): string {
  const values: Readonly<Record<string, string>> = {
    id: account.id,
    org: organizationKey,
    number: '1',
    username: organizationKey,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none');
}

/** Every attack at every address that accepts it: viewing, signing in, confirming, signing out. */
export async function tryRedirects(target: PageTarget): Promise<AttackOutcome> {
  const { port, origin, account } = target;
  const { email, password } = account;
  const through: string[] = [];
  let tried = 0;
  for (const query of redirectAttacks) {
    const cookie = cookieOf(await signInOnForm(port, account));
    const headers = { ...ours, cookie };
    const asks = {
      look: () => send(port, `/auth/signin?${query}`, { headers }),
      'sign in': () => send(port, `/auth/signin?${query}`, { form: { email, password }, headers: ours }),
      confirm: () => send(port, `/auth/signin/confirm?${query}`, { form: {}, headers }),
      'sign out': () => send(port, `/auth/signout?${query}`, { form: {}, headers }),
    };
    for (const [name, ask] of Object.entries(asks)) {
      tried += 1;
      if (!staysHome(await ask(), origin, query)) through.push(`${name}: ${query}`);
    }
  }
  return { tried, through };
}

function staysHome({ status, headers }: StageAnswer, origin: string, query: string): boolean {
  if (status === 400) return true;
  if (status === 303) return leadsHome(headers.location ?? '', origin, query);
  // A page: its forms may post to us, and to the one requested port.
  const policy = String(headers['content-security-policy']);
  const targets = /form-action ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? ['none said'];
  return (
    status === 200 && targets.every((one) => one === "'self'" || leadsHome(`${one}/callback`, origin, query))
  );
}

export async function tryCrossSite(target: PageTarget): Promise<AttackOutcome> {
  const { port, origin, cookie, routes } = target;
  const senders: readonly Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site', origin },
    { 'sec-fetch-site': 'same-site', origin },
    { 'sec-fetch-site': 'none', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site, same-origin' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${origin}.evil.example` },
    { referer: `${origin}/account` },
    {},
  ];
  const through: string[] = [];
  const forms = routes.filter(({ bodyFormat = 'json' }) => bodyFormat !== 'json');
  for (const form of forms)
    for (const headers of senders) {
      const answer = await send(port, pathOf(form, target), { form: {}, headers: { ...headers, cookie } });
      if (answer.status !== 403 || cookieOf(answer) !== '')
        through.push(`${form.operationId} with ${JSON.stringify(headers)}: ${answer.status}`);
    }
  return { tried: forms.length * senders.length, through };
}

/** No page, refusal included, may be framed, cached, or run foreign scripts. */
export async function tryFraming(target: PageTarget): Promise<AttackOutcome> {
  const { port, cookie, routes } = target;
  const through: string[] = [];
  let tried = 0;
  for (const route of routes.filter(({ method }) => method === 'GET'))
    for (const query of ['', '?nonsense=1', '?token=x', '?source=api&port=50000'])
      for (const headers of [{}, { cookie }]) {
        tried += 1;
        const answer = await send(port, pathOf(route, target) + query, { headers });
        const policy = String(answer.headers['content-security-policy']);
        const guarded =
          policy.includes("frame-ancestors 'none'") &&
          policy.includes("default-src 'none'") &&
          !policy.includes('unsafe') &&
          answer.headers['x-content-type-options'] === 'nosniff';
        const cacheable = answer.headers['cache-control'] !== 'no-store';
        if (cacheable || (answer.status !== 303 && !guarded)) through.push(`${route.operationId}${query}`);
      }
  return { tried, through };
}

const scripts = [
  `"><script>alert(1)</script>`,
  `'"><img src=x onerror=alert(1)>`,
  `</textarea><script>alert(1)</script>`,
  `</title><svg onload=alert(1)>`,
  '`${alert(1)}`<b>',
  `javascript:alert(1)//"><i>`,
  `" autofocus onfocus="alert(1)`,
];

/** Hostile text in whatever comes back on a page: none of it may come back as it was sent. */
export async function tryScripts(target: PageTarget): Promise<AttackOutcome> {
  const { port, cookie, account } = target;
  const headers = { ...ours, cookie };
  const through: string[] = [];
  let tried = 0;
  for (const script of scripts) {
    const text = encodeURIComponent(script);
    const state = encodeURIComponent(script.replaceAll(' ', '/'));
    const asks: Readonly<Record<string, () => Promise<StageAnswer>>> = {
      'sign-in e-mail': () =>
        send(port, '/auth/signin', { form: { email: script, password: 'x' }, headers: ours }),
      'sign-in return': () => send(port, `/auth/signin?return=${text}`),
      'sign-in state': () => send(port, `/auth/signin?source=api&port=50000&state=${state}`, { headers }),
      'sign-in port': () => send(port, `/auth/signin?source=api&port=${text}`),
      'an unknown name': () => send(port, `/auth/signin?${text}=1`),
      'sign-up': () =>
        send(port, '/auth/signup', {
          form: { email: script, name: script, username: script, password: script },
          headers: ours,
        }),
      invitation: () => send(port, `/auth/join?token=${text}`),
      'sign-up by invitation': () =>
        send(port, '/auth/join/account', {
          form: { token: script, email: script, username: script, password: script },
          headers: ours,
        }),
      'forgotten password': () => send(port, '/auth/forgot', { form: { email: script }, headers: ours }),
      'reset link': () => send(port, `/auth/reset?token=${text}`),
      'reset form': () =>
        send(port, '/auth/reset', { form: { token: script, password: 'x' }, headers: ours }),
      'confirmation link': () => send(port, `/auth/confirm?token=${text}`),
      'invited address': () =>
        send(port, `/platform/${target.organizationKey}/invitations`, {
          form: { email: script, role: 'member' },
          headers,
        }),
      'name of a key': () =>
        send(port, '/account/api-keys', {
          form: { name: script, currentPassword: account.password },
          headers,
        }),
      'list of keys': () => send(port, '/account/api-keys', { headers }),
      'program in the list of sessions': async () => {
        await send(port, '/api/auth/token', { json: grantOf(account), headers: { 'user-agent': script } });
        return send(port, '/account/security', { headers });
      },
      activity: () => send(port, '/account/activity', { headers }),
    };
    for (const [name, ask] of Object.entries(asks)) {
      tried += 1;
      const { text: body, status } = await ask();
      if (body.includes(script) || body.includes(script.replaceAll(' ', '/')) || status >= 500)
        through.push(`${name}: ${script}`);
    }
  }
  return { tried, through };
}

/** A session that an attacker knows must not become the victim's; earlier sessions of the browser end. */
export async function tryFixation(target: PageTarget): Promise<AttackOutcome> {
  const { port, account } = target;
  const known = cookieOf(await signInOnForm(port, account));
  const [name = ''] = known.split('=');
  const planted = [known, `${name}=${'a'.repeat(64)}`, `${name}=`, `${name}=x; ${name}=y`];
  const through: string[] = [];
  for (const cookie of planted) {
    const answer = await signInOnForm(port, account, cookie);
    const after = cookieOf(answer);
    const old = await send(port, '/account', { headers: { cookie } });
    const fresh = await send(port, '/account', { headers: { cookie: after } });
    if (after === cookie || old.status !== 303 || fresh.status !== 200) through.push(cookie.slice(0, 40));
    const set = (answer.headers['set-cookie'] ?? []).map((one) => one.replace(/=[0-9a-f]{64};/, '=…;'));
    const attributes = '=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax';
    const expected = ['session', 'device'].map((one) => `__Host-daybook-${one}${attributes}`);
    if (set.join() !== expected.join()) through.push(`attributes: ${set.join()}`);
  }
  return { tried: planted.length, through };
}
