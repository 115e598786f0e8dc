import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';

const run = promisify(execFile);

/** In a mount namespace of its own: the folder is read-only, also for its owner. */
const readOnly = 'mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; cd "$0"; exec "$@"';
const unprivileged = ['--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs'];

/** Unpacks the archive of the server as the guide does. Returns the folder. */
export async function unpackServer(archive: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const words = ['--extract', '--strip-components=1', '--no-same-owner', '--directory', folder];
  await run('tar', [...words, '--file', archive]);
  return folder;
}

export async function startServer(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<DaybookChild> {
  const [port = 0] = await freePorts(1);
  const node = `${folder}/node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const program = [node, `${folder}/bin/daybook`, 'api'];
  const inside = ['setpriv', ...unprivileged, ...program];
  const words = ['unshare', '--mount', 'bash', '-euc', readOnly, folder, ...inside] as const;
  return startDaybook(folder, 'api', port, settings, words);
}

interface RuntimeBundle {
  readonly process: {
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: readonly string[];
    readonly user: { readonly uid: number; readonly gid: number };
  };
}

/** Unpacks the image with umoci, which checks every digest. Returns a folder with `rootfs` and `config.json`. */
export async function unpackImage(archive: string, version: string, folder: string): Promise<string> {
  const [layout, bundle] = [join(folder, 'layout'), join(folder, 'bundle')];
  await mkdir(layout, { recursive: true });
  await chmod(folder, 0o755);
  await run('tar', ['--extract', '--file', archive, '--directory', layout]);
  await run('umoci', ['unpack', '--image', `${layout}:${version}`, bundle]);
  await chmod(bundle, 0o755);
  return bundle;
}

/** Starts the command of the image as its account, in its root. */
export async function startImage(
  bundle: string,
  settings: Readonly<Record<string, string>>,
): Promise<DaybookChild> {
  const { process: start } = JSON.parse(await readFile(join(bundle, 'config.json'), 'utf8')) as RuntimeBundle;
  const { uid, gid } = start.user;
  if (uid === 0) throw new Error('the image runs as root');
  const [port = 0] = await freePorts(1);
  const rootfs = join(bundle, 'rootfs');
  const program = ['/usr/bin/env', `--chdir=${start.cwd}`, ...start.args];
  const inside = ['chroot', `--userspec=${uid}:${gid}`, '--groups=', rootfs, ...program];
  const prepare = `mount -t proc proc "$0/proc"; ${readOnly}`;
  const words = ['unshare', '--mount', 'bash', '-euc', prepare, rootfs, ...inside] as const;
  const given = Object.fromEntries(start.env.map((pair) => pair.split(/=(.*)/s) as [string, string]));
  const environment = { ...given, HOST: '127.0.0.1', PORT: String(port), ...settings };
  return startDaybook('/', 'api', port, environment, words);
}
