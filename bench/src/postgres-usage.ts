import { readdirSync, readFileSync } from 'node:fs';

import type pg from 'pg';

const ticksPerSecond = 100;

/** Processor seconds that the server of this pool has used so far, with all its processes, also those that ended. */
export async function postgresCpuSeconds(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return cpuSecondsWithChildren(statOf(rows[0]?.pid ?? 0).parent);
}

/** Processor seconds of a process and its children, also those that ended. */
function cpuSecondsWithChildren(server: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = statOf(Number(name));
      if (Number(name) === server) ticks += stat.own + stat.ofEndedChildren;
      else if (stat.parent === server) ticks += stat.own;
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / ticksPerSecond;
}

function statOf(pid: number): {
  readonly parent: number;
  readonly own: number;
  readonly ofEndedChildren: number;
} {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may contain any character: state, parent, …, and times from the twelfth field on.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { parent: fields[1] ?? 0, own: user + system, ofEndedChildren: childUser + childSystem };
}
