import { parseArgs } from 'node:util';

import { accessToken } from './access-token.ts';
import { browserLogin } from './browser-login.ts';
import type { LoginHost } from './login-host.ts';
import { LoginUsageError } from './login-host.ts';
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
    summary: 'Sign in through the browser',
    details: `Opens the server's sign-in page and waits up to five minutes. Tokens are stored in
$XDG_CONFIG_HOME/daybook/credentials.json (~/.config by default), readable only by you.

  --no-browser   print the URL instead of opening a browser`,
    run: async (host, server, { browser }) => {
      const { email } = await browserLogin(host, server, { browser });
      host.print(`Signed in at ${server} as ${email}.`);
    },
  },
  {
    name: 'logout',
    summary: 'Sign out of this session',
    details: 'Other sessions of your account stay signed in. They are listed on your account page.',
    run: async (host, server) => {
      const ended = await logout(host, server);
      host.print(ended ? `Signed out at ${server}.` : `You were not signed in at ${server}.`);
    },
  },
  {
    name: 'token',
    summary: 'Print an access token for scripts',
    details: `The token is valid for at least five minutes:

  curl -H "authorization: Bearer $(daybook token)" https://daybook.example/api/v1/me`,
    run: async (host, server) => {
      host.print(await accessToken(host, server));
    },
  },
  {
    name: 'whoami',
    summary: 'Show the signed-in account and its organizations',
    details: 'Contacts the server, so it also checks that the session is still valid.',
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
    summary: 'List, switch or create organizations',
    details: `The current organization is marked with a star. New access tokens contain the current
organization. Switching does not change your permissions.`,
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
    throw new LoginUsageError(
      `usage: daybook organizations [switch <key> | create <key> <name>] [--url <url>]`,
    );
  const token = await accessToken(host, server);
  if (isSwitch) await tokenServer.switchOrganization(token, key);
  else await tokenServer.createOrganization(token, key, name.join(' '));
  host.print(`Current organization: ${key}.`);
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
  return `${named} [--url <url>]${name === 'login' ? ' [--no-browser]' : ''}`;
}

/** One command with its arguments. Throws LoginError with a readable message. */
export async function runAccountCommand(
  command: AccountCommand,
  args: readonly string[],
  host: LoginHost,
): Promise<void> {
  const { url, browser, help, words } = readLine(command, args);
  if (help) {
    host.print(`daybook ${commandUsage(command)}: ${command.summary}\n\n${command.details}\n`);
    host.print('  --url          server URL; default DAYBOOK_URL, then http://localhost:8080');
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
    throw new LoginUsageError(`${what}\nusage: daybook ${commandUsage(command)}`);
  }
}
