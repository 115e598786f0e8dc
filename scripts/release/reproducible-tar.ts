import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TarOptions {
  /** Modification time of every file. */
  readonly epochSeconds: number;
  /** The folder that the archive unpacks to. */
  readonly prefix?: string;
}

/** The same files give the same bytes: order, times, owners and modes do not come from this machine. */
export async function writeTar(folder: string, file: string, options: TarOptions): Promise<void> {
  const { epochSeconds, prefix } = options;
  await run('tar', [
    '--create',
    `--file=${file}`,
    `--directory=${folder}`,
    '--format=gnu',
    '--sort=name',
    `--mtime=@${epochSeconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--hard-dereference',
    // Of the names of files, not of the targets of links.
    ...(prefix === undefined ? [] : [`--transform=flags=r;s,^\\.,${prefix},`]),
    '.',
  ]);
}

/** Replaces a file by its compressed form, without its name and time. */
export async function compress(file: string): Promise<string> {
  await run('gzip', ['--no-name', '--force', file]);
  return `${file}.gz`;
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
