import type { ChildProcess } from 'node:child_process';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { prepareDebian } from './debian-base.ts';

const run = promisify(execFile);
const bootScript = fileURLToPath(new URL('boot-machine.sh', import.meta.url));
const parts = ['debootstrap', 'unshare', 'nsenter', 'slirp4netns', 'mount'];
const controlGroups = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'];
const bootedWithinMs = 30_000;
const packages = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'iproute2', 'procps'];

/** A Debian with its own systemd, processes, network and disk, on the kernel of this machine. */
export interface DebianMachine {
  /** Runs a script of bash as root, in the environment of a login. */
  readonly run: (script: string, onOutput?: (text: string) => void) => Promise<MachineResult>;
  /** Its root folder, seen from outside. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

export interface MachineResult {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Why no machine can be started here; null if one can. */
export function describeMissingParts(): string | null {
  const missing = parts.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
  if (process.getuid?.() !== 0) return 'only root can start a machine with namespaces of its own';
  return null;
}

/** `readable`: folders of this machine, by their path in the other one, which cannot change them. */
export async function startDebianMachine(
  root: string,
  suite: 'trixie' | 'forky',
  readable: Readonly<Record<string, string>> = {},
): Promise<DebianMachine> {
  const base = await prepareDebian(root, { name: suite, suite, packages });
  const layer = await mkdtemp(join(tmpdir(), 'daybook-machine-'));
  const folder = join(layer, 'root');
  for (const name of ['upper', 'work', 'root']) await mkdir(join(layer, name));
  const layers = `lowerdir=${base},upperdir=${join(layer, 'upper')},workdir=${join(layer, 'work')}`;
  await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, folder]);
  for (const [inside, outside] of Object.entries(readable)) {
    await mkdir(join(folder, inside), { recursive: true });
    await run('mount', ['--bind', '-o', 'ro', outside, join(folder, inside)]);
  }
  const environment = await copyNetworkSettings(folder);
  const group = await controlGroup();
  const boot = spawn('bash', [bootScript, folder, group], { stdio: ['ignore', 'ignore', 'pipe'] });
  const pid = await untilBooted(boot);
  const network = spawn(
    'slirp4netns',
    ['--configure', '--mtu=65520', '--disable-host-loopback', String(pid), 'eth0'],
    { stdio: 'ignore' },
  );
  const machine: Omit<DebianMachine, 'stop'> = {
    folder,
    run: (script, onOutput) => runInside(pid, environment, script, onOutput),
  };
  await untilConnected(machine);
  return {
    ...machine,
    stop: async () => {
      network.kill('SIGKILL');
      boot.kill('SIGKILL');
      process.kill(pid, 'SIGKILL');
      if (boot.exitCode === null && boot.signalCode === null) await once(boot, 'exit');
      await removeMounts(folder);
      await rm(layer, { recursive: true, force: true });
      await removeControlGroup(group);
    },
  };
}

/** The certificates and names that this machine uses to reach package registries. */
async function copyNetworkSettings(folder: string): Promise<Readonly<Record<string, string>>> {
  // slirp4netns answers names there.
  await rm(join(folder, 'etc/resolv.conf'), { force: true });
  await writeFile(join(folder, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n');
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  const isOwn = process.env['NODE_EXTRA_CA_CERTS'] !== undefined;
  if (isOwn) await copyFile(certificates, join(folder, certificates));
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
    ...(isOwn && { NODE_EXTRA_CA_CERTS: certificates }),
  };
}

async function controlGroup(): Promise<string> {
  for (const hierarchy of controlGroups)
    if (await readFile(join(hierarchy, 'cgroup.procs'), 'utf8').catch(() => null))
      return join(hierarchy, `daybook-${randomUUID()}`);
  throw new Error('no cgroup2 hierarchy is mounted');
}

/** The systemd of the machine: the child of `unshare`. */
async function untilBooted(boot: ChildProcess): Promise<number> {
  let said = '';
  boot.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const deadline = performance.now() + bootedWithinMs;
  for (;;) {
    if (boot.exitCode !== null) throw new Error(`the machine did not boot: ${said}`);
    const children = await readFile(`/proc/${boot.pid}/task/${boot.pid}/children`, 'utf8').catch(() => '');
    const pid = Number(children.trim().split(' ')[0]);
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (pid > 0 && name.trim() === 'systemd') return pid;
    if (performance.now() > deadline) throw new Error(`the machine did not boot: ${said}`);
    await delay(50);
  }
}

async function untilConnected({ run: inside }: Omit<DebianMachine, 'stop'>): Promise<void> {
  const deadline = performance.now() + bootedWithinMs;
  for (;;) {
    const { code, output } = await inside('ip route show default | grep -q . && systemctl is-system-running');
    if (code === 0 || /running|degraded/.test(output)) return;
    if (performance.now() > deadline) throw new Error(`the machine is not ready: ${output}`);
    await delay(200);
  }
}

async function runInside(
  pid: number,
  environment: Readonly<Record<string, string>>,
  script: string,
  onOutput: (text: string) => void = () => {},
): Promise<MachineResult> {
  const child = spawn('nsenter', ['--target', String(pid), '--all', 'bash', '-c', script], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      onOutput(chunk.toString());
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}

async function removeMounts(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path === folder || path.startsWith(`${folder}/`));
  for (const path of mounts.toReversed()) await run('umount', ['--lazy', path]);
}

/** The groups of the machine's services lie below it. */
async function removeControlGroup(group: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    for (const entry of await readdir(group, { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isDirectory()) await rmdir(join(entry.parentPath, entry.name)).catch(() => null);
    const gone = await rmdir(group).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (gone) return;
    await delay(100);
  }
}
