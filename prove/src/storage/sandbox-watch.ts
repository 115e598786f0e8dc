import { readFileSync, readlinkSync } from 'node:fs';

/** What the programs that read documents used, as the system counts it. */
export interface SandboxUse {
  readonly programs: number;
  /** Without a limit of memory, time, processes or files, or in a network or file system of this machine. */
  readonly unconfined: readonly string[];
  /** The largest resident memory, of the limit of its program. */
  readonly memoryShare: number;
  readonly longestSeconds: number;
  /** The resident memory of the worker. */
  readonly workerBytesMax: number;
  /** Programs that were running at the last look. */
  readonly running: number;
}

interface SeenProgram {
  readonly name: string;
  readonly firstMs: number;
  readonly memoryLimit: number;
  lastMs: number;
  residentMax: number;
}

const everyMs = 50;
/** They start the program and end with it. */
const starters = new Set(['nice', 'bwrap', 'prlimit']);
const limited = ['Max data size', 'Max cpu time', 'Max processes', 'Max file size', 'Max open files'];
const spaces = ['net', 'mnt', 'pid', 'ipc', 'user'];

/** Looks at the processes below a worker twenty times a second. */
export function watchSandboxes(workerId: () => number): { readonly stop: () => SandboxUse } {
  const seen = new Map<string, SeenProgram>();
  const unconfined: string[] = [];
  let workerBytesMax = 0;
  let running = 0;
  const look = (): void => {
    const worker = workerId();
    workerBytesMax = Math.max(workerBytesMax, kilobytes(statusOf(worker), 'VmRSS') * 1024);
    const programs = programsBelow(worker);
    running = programs.length;
    for (const id of programs) lookAt(id, seen, unconfined);
  };
  const timer = setInterval(look, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      const all = [...seen.values()];
      return {
        programs: all.length,
        unconfined,
        memoryShare: Math.max(0, ...all.map(({ residentMax, memoryLimit }) => residentMax / memoryLimit)),
        longestSeconds: Math.max(0, ...all.map(({ firstMs, lastMs }) => (lastMs - firstMs) / 1_000)),
        workerBytesMax,
        running,
      };
    },
  };
}

function lookAt(id: number, seen: Map<string, SeenProgram>, unconfined: string[]): void {
  const name = read(id, 'comm').trim();
  const status = statusOf(id);
  const stat = read(id, 'stat');
  // The name before it may contain blanks.
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  if (name === '' || status === '' || started === '') return;
  const key = `${id} ${started}`;
  const now = performance.now();
  const found = seen.get(key);
  const resident = kilobytes(status, 'VmHWM') * 1024;
  if (found !== undefined) {
    found.lastMs = now;
    found.residentMax = Math.max(found.residentMax, resident);
    return;
  }
  const limits = read(id, 'limits');
  if (limits === '') return;
  const [data = Infinity] = limited.map((limit) => limitIn(limits, limit));
  seen.set(key, { name, firstMs: now, lastMs: now, memoryLimit: data, residentMax: resident });
  const open = [
    ...limited.filter((limit) => !Number.isFinite(limitIn(limits, limit))),
    ...spaces.filter((space) => namespaceOf(id, space) === namespaceOf('self', space)),
  ];
  if (open.length > 0) unconfined.push(`${name}: ${open.join()}`);
}

function limitIn(limits: string, name: string): number {
  const [, value = 'unlimited'] = new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(limits) ?? [];
  return value === 'unlimited' ? Infinity : Number(value);
}

/** Those that bubblewrap has started; nothing else counts. */
function programsBelow(root: number): readonly number[] {
  const found: number[] = [];
  const walk = (id: number, depth: number): void => {
    const name = read(id, 'comm').trim();
    if (depth > 1 && name !== '' && !starters.has(name)) found.push(id);
    for (const child of read(id, `task/${id}/children`).split(' '))
      if (child !== '' && depth < 8) walk(Number(child), depth + 1);
  };
  walk(root, 0);
  return found;
}

function statusOf(id: number): string {
  return read(id, 'status');
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** Empty if the process has ended. */
function read(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function namespaceOf(id: number | 'self', space: string): string {
  try {
    return readlinkSync(`/proc/${id}/ns/${space}`);
  } catch {
    return `ended ${id}`;
  }
}
