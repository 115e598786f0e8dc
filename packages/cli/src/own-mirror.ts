import type { SqliteMirrorStore } from '@daybook/client/mirror/sqlite';
import { MirrorFileError, sqliteStore } from '@daybook/client/mirror/sqlite';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { mirrorToRead } from './command-line.ts';

/** A mirror that exists and is to be read. */
export interface OwnMirror {
  readonly path: string;
  readonly store: SqliteMirrorStore;
}

/** Reads from the mirror of this server, or with null from the server where none exists or `--online` is given. */
export async function withOwnMirror<T>(
  line: CommandLine,
  host: CliHost,
  work: (mirror: OwnMirror | null) => Promise<T>,
): Promise<T> {
  const path = line.online ? null : mirrorToRead(line, host);
  if (path === null) return work(null);
  let store: SqliteMirrorStore | null = null;
  try {
    store = sqliteStore(path);
    const owner = (await store.progress('current'))?.server;
    if (owner !== undefined && owner !== line.server)
      throw new CliError('usage', `this mirror belongs to ${owner}; read ${line.server} with --online`);
    return await work({ path, store });
  } catch (error) {
    if (!(error instanceof MirrorFileError)) throw error;
    const advice = 'repair it with daybook mirror repair, or use --online';
    throw new CliError('different', `${error.message}; ${advice}`);
  } finally {
    await store?.close();
  }
}
