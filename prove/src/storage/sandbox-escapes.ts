import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withNamelessFile } from '../../../apps/server/src/storage/derived/nameless-file.ts';
import { memoryOfNode, nodeProgram } from '../../../apps/server/src/storage/derived/read-content-text.ts';
import { runSandboxed } from '../../../apps/server/src/storage/derived/sandbox.ts';

/** Each line is a way out; it must fail. The program has what a document gets that takes over its parser. */
const ways = `
import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import * as fs from 'node:fs';
import { connect } from 'node:net';
const [canary, port, parent] = process.argv.slice(2);
const open = (to) => new Promise((resolve, reject) => connect(to).on('connect', resolve).on('error', reject));
const run = (file, ...args) => { const { status, error } = spawnSync(file, args); if (status !== 0) throw error ?? new Error(); };
const change = (path) => fs.writeFileSync(path, 'x', { flag: 'a' });
const ways = {
  'read a file': () => fs.readFileSync(canary),
  'read its folder': () => fs.readdirSync(canary.replace(/[^/]+$/, '')),
  'read the accounts': () => fs.readFileSync('/etc/passwd'),
  'read keys': () => fs.readdirSync('/root'),
  'read homes': () => fs.readdirSync('/home'),
  'read variables of others': () => fs.readFileSync('/proc/1/environ'),
  'read own variables of the worker': () => { if (!/secret|database|daybook/i.test(JSON.stringify(process.env))) throw new Error(); },
  'list processes': () => fs.readdirSync('/proc'),
  'write to /tmp': () => change('/tmp/escaped'),
  'write to shared memory': () => change('/dev/shm/escaped'),
  'write to the root': () => change('/escaped'),
  'write to programs': () => change('/usr/bin/escaped'),
  'write to itself': () => change(process.execPath),
  'write to the file': () => change(canary),
  'connect to the machine': () => open({ host: '127.0.0.1', port: Number(port) }),
  'connect by IPv6': () => open({ host: '::1', port: Number(port) }),
  'connect to the outside': () => open({ host: '192.0.2.1', port: 80 }),
  'find a host': () => lookup('localhost.daybook.example'),
  'open the socket of PostgreSQL': () => open({ path: '/tmp/.s.PGSQL.5432' }),
  'open an abstract socket': () => open({ path: '\\0/tmp/.X11-unix/X0' }),
  'end the worker': () => process.kill(Number(parent), 0),
  'end its starter': () => { if (process.ppid > 2) process.kill(process.ppid, 0); else throw new Error(); },
  'become root': () => process.setuid(0),
  'start a namespace': () => run('/usr/bin/unshare', '-U', 'true'),
  'start another sandbox': () => run('/usr/bin/bwrap', '--ro-bind', '/', '/', 'true'),
  'mount': () => run('/usr/bin/mount', '-t', 'tmpfs', 'none', '/mnt'),
  'raise a limit': () => run('/usr/bin/prlimit', '--data=unlimited', 'true'),
  'read the disk': () => { for (const disk of ['sda', 'vda', 'nvme0n1', 'mem', 'kmsg']) try { return fs.readFileSync('/dev/' + disk); } catch {} throw new Error(); },
};
const out = [];
for (const [name, way] of Object.entries(ways)) {
  try { await Promise.race([Promise.resolve().then(way).then(() => out.push(name)), new Promise((resolve) => setTimeout(resolve, 500))]); } catch {}
}
fs.writeSync(1, JSON.stringify({ tried: Object.keys(ways).length, out }));
process.exit(0);
`;

interface EscapesTried {
  readonly tried: number;
  readonly out: readonly string[];
}

/** Runs the ways with the walls and limits that a document is read in. */
export async function tryEscapes(canary: string, port: number): Promise<EscapesTried> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-escapes-'));
  try {
    const file = join(folder, 'ways.mjs');
    await writeFile(file, ways);
    const program = nodeProgram(file, [canary, String(port), String(process.pid)]);
    const limits = { memoryBytes: memoryOfNode, seconds: 20, outputBytes: 10_000 };
    const signal = new AbortController().signal;
    const outcome = await withNamelessFile([Buffer.from('x')], 1, (input) =>
      runSandboxed(program, input, limits, signal),
    );
    if (outcome.ended !== 'done') throw new Error(`the program ended ${JSON.stringify(outcome)}`);
    return JSON.parse(outcome.output.toString()) as EscapesTried;
  } finally {
    await rm(folder, { recursive: true });
  }
}
