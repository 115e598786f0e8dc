import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

import { cephSettings } from './ceph-settings.ts';

const runFile = promisify(execFile);
const startTimeoutMs = 60_000;

export interface BucketServer {
  /** Where S3 is spoken, by path: `<url>/<bucket>/<key>`. */
  readonly url: string;
  readonly region: string;
  /** An empty one. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** `kill -9` of the S3 gateway; stored data remains, and `start` starts it again. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops all processes and removes all files. */
  readonly remove: () => Promise<void>;
}

/**
 * Ceph's S3 gateway with the least it needs behind it: one monitor, and one store that keeps objects in memory. Each
 * server has a loopback address of its own, so that two never ask for the same port.
 */
export async function startBucketServer(): Promise<BucketServer> {
  // A cluster whose store does not become active stays so: a new one is started, once.
  return startCluster().catch(startCluster);
}

async function startCluster(): Promise<BucketServer> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-ceph-'));
  const address = `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;
  const keys = {
    accessKeyId: randomBytes(10).toString('hex'),
    secretAccessKey: randomBytes(20).toString('hex'),
  };
  const place = { url: `http://${address}:7480`, region: 'us-east-1', bucket: 'files' };
  const stores: ChildProcess[] = [];
  let gateway: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    gateway = launch(folder, 'radosgw', ['-n', 'client.admin']);
    await waitUntilAnswering(place.url, gateway, folder);
  };
  const kill = async (): Promise<void> => {
    await end(gateway);
  };
  const remove = async (): Promise<void> => {
    await Promise.all([gateway, ...stores].map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await startStores(folder, address, stores);
    await Promise.all([start(), createUser(folder, keys)]);
    await createBucket({ ...place, ...keys });
  } catch (error) {
    await remove();
    throw error;
  }
  return { ...place, ...keys, kill, start, remove };
}

async function startStores(folder: string, address: string, started: ChildProcess[]): Promise<void> {
  const [cluster, store] = [randomUUID(), randomUUID()];
  for (const name of ['mon', 'osd', 'rgw', 'run']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'ceph.conf'), cephSettings({ cluster, address, folder }));
  await createKeys(join(folder, 'keyring'));
  const monmap = join(folder, 'monmap');
  await run(folder, 'monmaptool', [
    '--create',
    '--addv',
    'a',
    `[v2:${address}:3300]`,
    '--fsid',
    cluster,
    monmap,
  ]);
  await run(folder, 'ceph-mon', ['-i', 'a', '--mkfs', '--monmap', monmap]);
  started.push(launch(folder, 'ceph-mon', ['-i', 'a']));
  await run(folder, 'ceph', ['osd', 'new', store]);
  await run(folder, 'ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', store]);
  started.push(launch(folder, 'ceph-osd', ['-i', '0']));
}

/** One keyring for all: the monitor takes over the users that are in it when it is created. */
async function createKeys(keyring: string): Promise<void> {
  const everything = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
  await runFile('ceph-authtool', ['-C', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *']);
  for (const name of ['client.admin', 'osd.0'])
    await runFile('ceph-authtool', [keyring, '--gen-key', '-n', name, ...everything]);
}

async function createUser(
  folder: string,
  { accessKeyId, secretAccessKey }: Pick<BucketServer, 'accessKeyId' | 'secretAccessKey'>,
): Promise<void> {
  const keys = ['--access-key', accessKeyId, '--secret', secretAccessKey];
  await run(folder, 'radosgw-admin', ['user', 'create', '--uid', 'daybook', '--display-name', 'D', ...keys]);
}

async function createBucket({
  url,
  region,
  bucket,
  ...credentials
}: Omit<BucketServer, 'kill' | 'start' | 'remove'>): Promise<void> {
  const client = new S3Client({ endpoint: url, region, credentials, forcePathStyle: true });
  // Without a limit, it waits forever for a gateway whose store does not answer.
  const abortSignal = AbortSignal.timeout(startTimeoutMs);
  await client.send(new CreateBucketCommand({ Bucket: bucket }), { abortSignal });
  client.destroy();
}

async function run(folder: string, program: string, args: readonly string[]): Promise<void> {
  await runFile(program, ['-c', join(folder, 'ceph.conf'), ...args], {
    timeout: startTimeoutMs,
    // A program that waits for the monitor ignores SIGTERM.
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Ends with this process, however that ends: a store in memory is useless without its client. */
function launch(folder: string, program: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, `${program}.log`), 'a');
  const settings = ['-c', join(folder, 'ceph.conf'), '-f'];
  return spawn('setpriv', ['--pdeathsig', 'KILL', program, ...settings, ...args], {
    stdio: ['ignore', log, log],
  });
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function waitUntilAnswering(url: string, gateway: ChildProcess, folder: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const answered = await fetch(url, { signal: AbortSignal.timeout(startTimeoutMs) }).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    if (gateway.exitCode !== null || performance.now() > deadline)
      throw new Error(`radosgw does not answer: ${readFileSync(join(folder, 'radosgw.log'), 'utf8')}`);
    await delay(25);
  }
}
