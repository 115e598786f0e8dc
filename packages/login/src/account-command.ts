import { parseArgs } from 'node:util';

import { accessToken } from './access-token.ts';
import { browserLogin } from './browser-login.ts';
import type { LoginHost } from './login-host.ts';
import { LoginError } from './login-host.ts';
import { logout } from './logout.ts';
import { serverAddress } from './server-address.ts';
import { createTokenServer } from './server-client.ts';

export interface AccountCommand {
  readonly name: 'login' | 'logout' | 'token' | 'whoami' | 'organizations';
  /** What may follow the name, beside flags. */
  readonly words?: string;
  readonly summary: string;
  readonly details: string;
  readonly run: (
    host: LoginHost,
    server: string,
    line: { readonly browser: boolean; readonly words: readonly string[] },
  ) => Promise<void>;
}

export const accountCommands: readonly AccountCommand[] = [
  {
    name: 'login',
    summary: 'signs you in through the browser',
    details: `Opens the server's sign-in page and waits up to five minutes. Your tokens are kept in
$XDG_CONFIG_HOME/daybook/credentials.json (~/.config by default), readable by you alone.

  --no-browser   only print the address`,
    run: async (host, server, { browser }) => {
      const { email } = await browserLogin(host, server, { browser });
      host.print(`Signed in at ${server} as ${email}.`);
    },
  },
  {
    name: 'logout',
    summary: 'ends that session, here and at the server',
    details: 'Other sessions of your account go on; they are listed on your account page.',
    run: async (host, server) => {
      const ended = await logout(host, server);
      host.print(ended ? `Signed out at ${server}.` : `You were not signed in at ${server}.`);
    },
  },
  {
    name: 'token',
    summary: 'prints an access token for scripts, refreshed when it is due',
    details: `It is good for at least five minutes:

  curl -H "authorization: Bearer $(daybook token)" https://daybook.example/api/v1/me`,
    run: async (host, server) => {
      host.print(await accessToken(host, server));
    },
  },
  {
    name: 'whoami',
    summary: 'says who you are signed in as, and in which organizations',
    details: 'Asks the server, so it also tells whether the session still holds.',
    run: async (host, server) => {
      const me = await createTokenServer(server, host).me(await accessToken(host, server));
      const { name, email, role, organizations } = me['user'] as Readonly<Record<string, unknown>>;
      host.print(`${String(name)} <${String(email)}>, ${String(role)}, at ${server}`);
      if (!Array.isArray(organizations)) return;
      for (const one of organizations as readonly Readonly<Record<string, unknown>>[])
        host.print(`  ${String(one['platform_key'])}  ${String(one['name'])}, ${String(one['role'])}`);
    },
  },
  {
    name: 'organizations',
    words: '[switch <key> | create <key> <name>]',
    summary: 'lists your organizations, switches between them, creates one',
    details: `The one you work in has a star. Switching changes which one new access tokens name;
what you may do in any of them stays as it is.`,
    run: runOrganizations,
  },
];

type Line = Parameters<AccountCommand['run']>[2];

async function runOrganizations(host: LoginHost, server: string, { words }: Line): Promise<void> {
  const [verb, key = '', ...name] = words;
  const tokenServer = createTokenServer(server, host);
  if (verb === undefined) return listOrganizations(host, server);
  const isSwitch = verb === 'switch' && key !== '' && name.length === 0;
  const isCreate = verb === 'create' && key !== '' && name.length > 0;
  if (!isSwitch && !isCreate)
    throw new LoginError(`usage: daybook organizations [switch <key> | create <key> <name>] [--url address]`);
  const token = await accessToken(host, server);
  if (isSwitch) await tokenServer.switchOrganization(token, key);
  else await tokenServer.createOrganization(token, key, name.join(' '));
  host.print(`You work in ${key} now.`);
}

async function listOrganizations(host: LoginHost, server: string): Promise<void> {
  const me = await createTokenServer(server, host).me(await accessToken(host, server));
  const { organizationId, organizations } = me['user'] as {
    readonly organizationId: unknown;
    readonly organizations: readonly Readonly<Record<string, unknown>>[];
  };
  for (const one of organizations) {
    const mark = one['id'] === organizationId ? '*' : ' ';
    host.print(`${mark} ${String(one['platform_key'])}  ${String(one['name'])}, ${String(one['role'])}`);
  }
}

export function commandUsage({ name, words }: AccountCommand): string {
  const named = words === undefined ? name : `${name} ${words}`;
  return `${named} [--url address]${name === 'login' ? ' [--no-browser]' : ''}`;
}

/** One command with its arguments. Raises LoginError in words for people. */
export async function runAccountCommand(
  command: AccountCommand,
  args: readonly string[],
  host: LoginHost,
): Promise<void> {
  const { url, browser, help, words } = readLine(command, args);
  if (help) {
    host.print(`daybook ${commandUsage(command)}: ${command.summary}\n\n${command.details}\n`);
    host.print('  --url          the server; else DAYBOOK_URL, else http://localhost:8080');
  } else await command.run(host, serverAddress(host, url), { browser, words });
}

function readLine(command: AccountCommand, args: readonly string[]) {
  try {
    const { values, positionals: words } = parseArgs({
      args: [...args],
      allowNegative: true,
      allowPositionals: command.words !== undefined,
      options: {
        url: { type: 'string' },
        browser: { type: 'boolean', default: true },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return { ...values, words };
  } catch (error) {
    const [what = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new LoginError(`${what}\nusage: daybook ${commandUsage(command)}`);
  }
}
