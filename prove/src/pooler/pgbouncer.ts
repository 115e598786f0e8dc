import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { fillTemplate } from '../template.ts';

export interface Pgbouncer {
  readonly pid: number;
  /** The same address through the pooler. */
  readonly through: (url: string) => string;
  /** Warnings and errors of its log. */
  readonly complaints: () => readonly string[];
  readonly stop: () => Promise<void>;
}

export function isPgbouncerInstalled(): boolean {
  return spawnSync('pgbouncer', ['--version']).error === undefined;
}

/** PgBouncer with the configuration we ship, in front of a server on loopback. */
export async function startPgbouncer(options: {
  readonly root: string;
  readonly port: number;
  readonly databasePort: number;
  readonly logins: readonly string[];
}): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-pgbouncer-'));
  chmodSync(folder, 0o755);
  const shipped = readFileSync(join(options.root, 'deploy', 'pgbouncer.ini.template'), 'utf8');
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    fillTemplate(shipped, {
      DAYBOOK_POOLER_DATABASE_HOST: '127.0.0.1',
      DAYBOOK_POOLER_DATABASE_PORT: String(options.databasePort),
      DAYBOOK_POOLER_HOST: '127.0.0.1',
      DAYBOOK_POOLER_PORT: String(options.port),
      DAYBOOK_POOLER_FOLDER: folder,
    }),
  );
  const users = options.logins.map((url) => new URL(url));
  writeFileSync(
    join(folder, 'userlist.txt'),
    users.map(({ username, password }) => `"${username}" "${password}"\n`).join(''),
  );
  // It refuses to run as root.
  const asWhom = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...asWhom, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 400; tries += 1) {
    if (await accepts(options.port)) {
      return {
        pid: child.pid ?? 0,
        through: (url) => {
          const address = new URL(url);
          address.port = String(options.port);
          return address.href;
        },
        complaints: () => log.split('\n').filter((line) => / (?:WARNING|ERROR|FATAL) /.test(line)),
        stop,
      };
    }
    await delay(25);
  }
  await stop();
  throw new Error(`PgBouncer did not come up: ${log}`);
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
