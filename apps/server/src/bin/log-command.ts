import { chmod, chown, rename, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { readConfig } from '../config/config.ts';
import { logKeyFile } from '../record/wiring.ts';
import type { Command } from './command-line.ts';
import { UsageError } from './command-line.ts';

export const run: Command['run'] = async ([action, ...rest]) => {
  const config = readConfig(process.env);
  const file = config.newsroom.publicLog?.keyFile ?? '';
  if (rest.length > 0 && action !== 'keygen') throw new UsageError();
  if (file === '') throw new Error('DAYBOOK_LOG_KEY_FILE must name the file of the keys');
  if (action === 'keygen') await keygen(file, originOf(config.news.baseUrl, rest));
  else if (action === 'rotate') await change(file, logKeyFile.addLogKey, rotated);
  else if (action === 'retire') await change(file, logKeyFile.retireLogKeys, retired);
  else throw new UsageError();
};

const rotated =
  'Both keys sign from the next start of the workers on. Publish the first key; run `daybook log retire` when readers have it.';
const retired = 'Only the first key signs from the next start of the workers on.';

/** The name of the log: its address without a scheme, or the given one. */
function originOf(baseUrl: string, rest: readonly string[]): string {
  const [flag, origin, ...more] = rest;
  if (flag === undefined) return `${baseUrl.replace(/^https?:\/\//, '')}/log`;
  if (flag !== '--origin' || origin === undefined || more.length > 0) throw new UsageError();
  if (!/^[\w.:/-]{1,200}$/.test(origin))
    throw new Error('an origin has letters, digits, dots, colons, slashes and hyphens');
  return origin;
}

/** Modes of a file that only its owner may read, and of one that its group may read: that of the workers. */
const [ownerOnly, ownerAndGroup] = [0o600, 0o640];

async function keygen(file: string, origin: string): Promise<void> {
  const keys = `${await logKeyFile.generateLogKey(origin)}\n`;
  // Never replaces a key: without it, no checkpoint of its log can be signed.
  await writeFile(file, keys, { mode: ownerOnly, flag: 'wx' });
  if (isRoot()) {
    const { gid } = await stat(dirname(file));
    await chown(file, 0, gid);
    await chmod(file, ownerAndGroup);
  }
  await print(keys, `Wrote ${file}. Workers sign with it from their next start on. Publish this key:`);
}

/** A worker never runs as root: what root creates must be readable to the group of its folder, as the settings are. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function change(file: string, by: (text: string) => Promise<string>, message: string): Promise<void> {
  const keys = await by(await readFile(file, 'utf8'));
  const { uid, gid, mode } = await stat(file);
  const written = `${file}.new`;
  await writeFile(written, keys, { mode: ownerOnly });
  if (isRoot()) await chown(written, uid, gid);
  await chmod(written, mode);
  await rename(written, file);
  await print(keys, message);
}

async function print(keys: string, message: string): Promise<void> {
  const { verifierKeys } = await logKeyFile.parseLogKeys(keys);
  console.log(message);
  for (const key of verifierKeys) console.log(`  ${key}`);
}
