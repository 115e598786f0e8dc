import { chmod, chown, rename, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { createCalendarClock } from '../foundation/clock.ts';
import { logKeyFile } from '../record/wiring.ts';
import { withDatabase } from '../wiring/connections.ts';
import { describeEpoch, renameLog, writeLikeKeyFile } from '../wiring/start-log-epoch.ts';
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
  else if (action === 'new-epoch') await startEpoch(config, file);
  else throw new UsageError();
};

const rotated =
  'Both keys sign after the workers are restarted. Publish the first key, and run `daybook log retire` when readers have it.';
const retired = 'Only the first key signs after the workers are restarted.';

/** The name of the log: its address without a scheme, or the given one. */
function originOf(baseUrl: string, rest: readonly string[]): string {
  const [flag, origin, ...more] = rest;
  if (flag === undefined) return `${baseUrl.replace(/^https?:\/\//, '')}/log`;
  if (flag !== '--origin' || origin === undefined || more.length > 0) throw new UsageError();
  if (!/^[\w.:/-]{1,200}$/.test(origin))
    throw new Error('an origin can contain only letters, digits, dots, colons, slashes and hyphens');
  return origin;
}

/** Modes of a file that only its owner may read, and of one that its group may read: that of the workers. */
const [ownerOnly, ownerAndGroup] = [0o600, 0o640];

async function keygen(file: string, origin: string): Promise<void> {
  const keys = `${await logKeyFile.generateLogKey(origin)}\n`;
  // Never replaces a key: without it, no checkpoint of its log can be signed.
  await writeFile(file, keys, { mode: ownerOnly, flag: 'wx' });
  // A worker never runs as root: it reads the key as a member of the group of the folder, as it reads the settings.
  if (process.getuid?.() === 0) {
    const { gid } = await stat(dirname(file));
    await chown(file, 0, gid);
    await chmod(file, ownerAndGroup);
  }
  await print(keys, `Wrote ${file}. Workers use it after a restart. Publish this key:`);
}

async function change(file: string, by: (text: string) => Promise<string>, message: string): Promise<void> {
  const keys = await by(await readFile(file, 'utf8'));
  const written = `${file}.new`;
  await writeLikeKeyFile(file, written, keys);
  await rename(written, file);
  await print(keys, message);
}

async function startEpoch(config: Config, file: string): Promise<void> {
  const clock = createCalendarClock(config.simulatedTime);
  const renamed = await withDatabase(config, { name: 'daybook log' }, (database) =>
    renameLog({ database, clock }, file),
  );
  console.log(describeEpoch(renamed).join('\n'));
}

async function print(keys: string, message: string): Promise<void> {
  const { verifierKeys } = await logKeyFile.parseLogKeys(keys);
  console.log(message);
  for (const key of verifierKeys) console.log(`  ${key}`);
}
