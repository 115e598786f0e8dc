import { readFileSync } from 'node:fs';

/** Since the machine started, over all its cores; null where the system does not report it. */
interface CoreTime {
  readonly all: number;
  readonly stolen: number;
}

/** What Linux counts: user, nice, system, idle, waiting, interrupts, soft interrupts, stolen. */
function readCoreTime(): CoreTime | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const times = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
  } catch {
    return null;
  }
}

/** Starts to measure; returns the share of time that the host did not give the virtual machine since then. */
export function watchStolenShare(): () => number {
  const before = readCoreTime();
  return () => {
    const after = readCoreTime();
    if (before === null || after === null || after.all <= before.all) return 0;
    return (after.stolen - before.stolen) / (after.all - before.all);
  };
}
