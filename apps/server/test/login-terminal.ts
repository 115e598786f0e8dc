import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface CommandOutcome {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface RunningCommand {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly printed: () => string;
  readonly ended: Promise<CommandOutcome>;
}

interface StoredCredentials {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly issuedAtMs: number;
}

/** A person's terminal: a separate home folder, and the commands as real processes. */
export interface LoginTerminal {
  readonly folder: string;
  readonly start: (words: string, env?: Readonly<Record<string, string>>) => RunningCommand;
  readonly run: (words: string, env?: Readonly<Record<string, string>>) => Promise<CommandOutcome>;
  /** The file's content for a server, or null. */
  readonly storedCredentials: (server: string) => Promise<StoredCredentials | null>;
  /** Moves the issue of the tokens this many minutes into the past. */
  readonly age: (server: string, minutes: number) => Promise<void>;
  readonly remove: () => Promise<void>;
}

const program = fileURLToPath(new URL('../../../packages/cli/src/bin/daybook.ts', import.meta.url));

export async function openLoginTerminal(server: string): Promise<LoginTerminal> {
  const home = await mkdtemp(join(tmpdir(), 'daybook-home-'));
  const file = join(home, 'daybook', 'credentials.json');
  const read = async () =>
    JSON.parse(await readFile(file, 'utf8')) as { servers: Record<string, StoredCredentials> };
  const start: LoginTerminal['start'] = (words, env = {}) => {
    const child = spawn(process.execPath, [program, ...words.split(' ')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/nowhere', XDG_CONFIG_HOME: home, DAYBOOK_URL: server, ...env },
    });
    let [out, error] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      error += chunk.toString();
    });
    const outcome = async (): Promise<CommandOutcome> => {
      await once(child, 'close');
      return { code: child.exitCode, out, error };
    };
    return { child, printed: () => out, ended: outcome() };
  };
  return {
    folder: join(home, 'daybook'),
    start,
    run: (words, env) => start(words, env).ended,
    storedCredentials: async (address) => (await read()).servers[address] ?? null,
    age: async (address, minutes) => {
      const content = await read();
      const held = content.servers[address]!;
      content.servers[address] = { ...held, issuedAtMs: held.issuedAtMs - minutes * 60_000 };
      await writeFile(file, JSON.stringify(content), { mode: 0o600 });
    },
    remove: () => rm(home, { recursive: true }),
  };
}

/** The address that a waiting `daybook login` prints. */
export async function printedAddress({ child, printed }: RunningCommand): Promise<URL> {
  for (;;) {
    const [address] = /http\S+\/auth\/signin\S+(?=\n)/.exec(printed()) ?? [];
    if (address !== undefined) return new URL(address);
    await once(child.stdout, 'data');
  }
}
