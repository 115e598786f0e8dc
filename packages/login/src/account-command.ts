import { parseArgs } from 'node:util';

import { accessToken } from './access-token.ts';
import { browserLogin } from './browser-login.ts';
import type { LoginHost } from './login-host.ts';
import { LoginError } from './login-host.ts';
import { logout } from './logout.ts';
import { serverAddress } from './server-address.ts';
import { createTokenServer } from './server-client.ts';

export interface AccountCommand {
  readonly name: 'login' | 'logout' | 'token' | 'whoami';
  readonly summary: string;
  readonly details: string;
  readonly run: (host: LoginHost, server: string, flags: { readonly browser: boolean }) => Promise<void>;
}

export const accountCommands: readonly AccountCommand[] = [
  {
    name: 'login',
    summary: 'signs you in through the browser',
    details: `Opens the server's sign-in page and waits up to five minutes. Your tokens are kept in
$XDG_CONFIG_HOME/daybook/credentials.json (~/.config by default), readable by you alone.

  --no-browser   only print the address`,
    run: async (host, server, flags) => {
      const { email } = await browserLogin(host, server, flags);
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
    summary: 'says who you are signed in as',
    details: 'Asks the server, so it also tells whether the session still holds.',
    run: async (host, server) => {
      const me = await createTokenServer(server, host).me(await accessToken(host, server));
      const { name, email, role } = me['user'] as Readonly<Record<string, unknown>>;
      host.print(`${String(name)} <${String(email)}>, ${String(role)}, at ${server}`);
    },
  },
];

export function commandUsage({ name }: AccountCommand): string {
  return name === 'login' ? 'login [--url address] [--no-browser]' : `${name} [--url address]`;
}

/** One command with its arguments. Raises LoginError in words for people. */
export async function runAccountCommand(
  command: AccountCommand,
  args: readonly string[],
  host: LoginHost,
): Promise<void> {
  const { url, browser, help } = readFlags(command, args);
  if (help) {
    host.print(`daybook ${commandUsage(command)}: ${command.summary}\n\n${command.details}\n`);
    host.print('  --url          the server; else DAYBOOK_URL, else http://localhost:8080');
  } else await command.run(host, serverAddress(host, url), { browser });
}

function readFlags(command: AccountCommand, args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        url: { type: 'string' },
        browser: { type: 'boolean', default: true },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    const [what = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new LoginError(`${what}\nusage: daybook ${commandUsage(command)}`);
  }
}
