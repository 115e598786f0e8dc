import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

/** Takes a lock on a table that conflicts with every other use of it, for so long. */
export async function lockTable(url: string, table: string, forMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await delay(forMs);
    await client.query('COMMIT');
  } catch {
    // The database was restarted meanwhile: the lock went with it.
  } finally {
    await client.end().catch(() => {});
  }
}

export interface BusyLoops {
  readonly count: number;
  readonly stop: () => Promise<void>;
}

/** Other programs that take every core: so many loops for each. */
export function startBusyLoops(perCore: number): BusyLoops {
  const loops = Array.from({ length: perCore * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return { count: loops.length, stop: async () => void (await Promise.all(loops.map(end))) };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
