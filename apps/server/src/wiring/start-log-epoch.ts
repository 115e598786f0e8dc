import { chmod, chown, open, readFile, rename, stat } from 'node:fs/promises';

import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { logKeyFile, nextOrigin, readEpochHead, startLogEpoch } from '../record/wiring.ts';

export interface RenamedLog {
  readonly origin: string;
  readonly epoch: number;
  readonly size: number;
  readonly statement: string;
  readonly verifierKey: string;
}

/** Why no epoch begins: no checkpoint was ever signed, or none of the present epoch. */
export type NoEpoch = 'unsigned' | 'begun';

/**
 * Gives the log another name and a new key, signed by the present one. The new keys are on the disk before the database
 * names the log after them: a run that was interrupted between both is completed by the next.
 */
export async function renameLog(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  keyFile: string,
): Promise<RenamedLog | NoEpoch> {
  const written = `${keyFile}.next-epoch`;
  const { origin, epoch, hasCheckpoint } = await database.transaction().execute(readEpochHead);
  if (origin === null) return 'unsigned';
  if ((await originOf(written)) === origin) await rename(written, keyFile);
  if (!hasCheckpoint) return 'begun';
  const keys = await readFile(keyFile, 'utf8');
  const renamed = await logKeyFile.renameLogKeys(keys, nextOrigin(origin, epoch));
  await writeLikeKeyFile(keyFile, written, renamed);
  const [ended, begun] = [await logKeyFile.parseLogKeys(keys), await logKeyFile.parseLogKeys(renamed)];
  const started = await startLogEpoch({ database, clock }, { ended, begun });
  await rename(written, keyFile);
  return { ...started, origin: begun.origin, verifierKey: begun.verifierKeys[0] ?? '' };
}

/** Null without the file, or if it contains no keys. */
async function originOf(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const keys = await logKeyFile.parseLogKeys(text).catch(() => null);
  return keys?.origin ?? null;
}

/** What an operator must know and do. */
export function describeEpoch(renamed: RenamedLog | NoEpoch): readonly string[] {
  if (renamed === 'unsigned') return ['no checkpoint was ever signed, so the log continues'];
  if (renamed === 'begun') return ['a new epoch has begun already, and has no checkpoint yet'];
  const { epoch, origin, size, statement, verifierKey } = renamed;
  return [
    `epoch ${epoch} of the public log is ${origin}: it begins with ${size} entries of the log before`,
    `publish its key: ${verifierKey}`,
    'publish this statement, which is also at /log/epochs:',
    ...statement
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`.trimEnd()),
  ];
}

const ownerOnly = 0o600;

/** Writes a file that has the owner and the mode of the key file, durably. */
export async function writeLikeKeyFile(keyFile: string, file: string, text: string): Promise<void> {
  const { uid, gid, mode } = await stat(keyFile);
  const written = await open(file, 'w', ownerOnly);
  try {
    await written.writeFile(text);
    await written.sync();
  } finally {
    await written.close();
  }
  if (process.getuid?.() === 0) await chown(file, uid, gid);
  await chmod(file, mode);
}
