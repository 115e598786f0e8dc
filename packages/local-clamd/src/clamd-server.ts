import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const startTimeoutMs = 60_000;

/** Why it cannot be started on this machine; null where it can. */
export function whyNoClamd(): string | null {
  if (spawnSync('clamd', ['--version']).status === 0) return null;
  return 'clamd is not installed: install Debian’s clamav-daemon';
}

/** Harmless bytes that this scanner takes for malware, and the name it has for them. */
export const knownBytes = Buffer.from('daybook: bytes that the scanner of our tests takes for malware');
export const knownName = 'Daybook.Test';

export interface ClamdServer {
  /** Of its socket. */
  readonly path: string;
  /** `kill -9`; `start` starts it again. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and removes its files. */
  readonly remove: () => Promise<void>;
}

/** ClamAV's daemon with one signature, which needs no download and no more memory than that. */
export async function startClamd({
  streamBytesMax = 64 * 1024 ** 2,
  /** More lines of its settings file; without these it says OK to content that it has not read. */
  lines = ['AlertExceedsMax yes', 'AlertEncrypted yes', 'MaxFileSize 0', 'MaxScanSize 100M'],
}: { readonly streamBytesMax?: number; readonly lines?: readonly string[] } = {}): Promise<ClamdServer> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-clamd-'));
  const path = join(folder, 'socket');
  mkdirSync(join(folder, 'database'));
  // An extended signature: name, any kind of file, at any place, the bytes.
  writeFileSync(join(folder, 'database', 'test.ndb'), `${knownName}:0:*:${knownBytes.toString('hex')}\n`);
  writeFileSync(
    join(folder, 'clamd.conf'),
    [...settings(folder, path, streamBytesMax), ...lines, ''].join('\n'),
  );
  let daemon: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    rmSync(path, { force: true });
    daemon = launch(folder);
    await untilAnswering(path, daemon, folder);
  };
  const kill = (): Promise<void> => end(daemon);
  const remove = async (): Promise<void> => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, kill, start, remove };
}

function settings(folder: string, path: string, streamBytesMax: number): readonly string[] {
  return [
    `LocalSocket ${path}`,
    `DatabaseDirectory ${join(folder, 'database')}`,
    `TemporaryDirectory ${folder}`,
    `StreamMaxLength ${streamBytesMax}`,
    'Foreground yes',
    'MaxThreads 4',
  ];
}

/** Ends with us, however we end. */
function launch(folder: string): ChildProcess {
  const log = openSync(join(folder, 'clamd.log'), 'a');
  const settingsFile = `--config-file=${join(folder, 'clamd.conf')}`;
  return spawn('setpriv', ['--pdeathsig', 'KILL', 'clamd', settingsFile], { stdio: ['ignore', log, log] });
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function untilAnswering(path: string, daemon: ChildProcess, folder: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (!(await isAnswering(path))) {
    if (daemon.exitCode !== null || performance.now() > deadline)
      throw new Error(`clamd does not answer: ${readFileSync(join(folder, 'clamd.log'), 'utf8')}`);
    await delay(25);
  }
}

async function isAnswering(path: string): Promise<boolean> {
  const socket = connect({ path });
  socket.setTimeout(1_000, () => socket.destroy());
  socket.write('zPING\0');
  return buffer(socket).then(
    (answer) => answer.toString('latin1').startsWith('PONG'),
    () => false,
  );
}
