import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';

import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Sweep } from '../../foundation/engine/engine-declarations.ts';
import { withBaseUrl } from '../items/item-body.ts';
import type { MonthPage, MonthToWrite } from './archive-file-store.ts';
import {
  deleteChangedFiles,
  findMonthToWrite,
  lockArchive,
  readMonthPage,
  upsertArchiveFile,
} from './archive-file-store.ts';

export interface ArchiveFileDeps {
  readonly clock: Clock;
  /** Of the links in the files. */
  readonly baseUrl: string;
}

const rowsAtOnce = 2_000;

/**
 * Deletes the files of months that changed and writes the missing ones, one in a transaction. A change during that is
 * behind the position of the files, so the new file is not valid and the next run replaces it.
 */
export function createArchiveFiling(deps: ArchiveFileDeps): Sweep {
  return {
    name: 'write-archive-files',
    everySeconds: 5,
    run: async ({ transaction, signal }) => {
      await transaction(async (database) => {
        if (await lockArchive(database)) await deleteChangedFiles(database);
      });
      while (!signal.aborted && (await transaction((database) => writeNextFile(database, deps))));
    },
  };
}

/** False if no file is missing, or another worker writes one. */
async function writeNextFile(database: Database, { clock, baseUrl }: ArchiveFileDeps): Promise<boolean> {
  if (!(await lockArchive(database))) return false;
  const month = await findMonthToWrite(database, baseUrl, clock.now());
  if (month === null) return false;
  const count = { items: 0 };
  const compress = createZstdCompress();
  const [content] = await Promise.all([
    buffer(compress),
    pipeline(Readable.from(linesOf(database, month, baseUrl, count)), compress),
  ]);
  const sha256 = createHash('sha256').update(content).digest();
  await upsertArchiveFile(database, {
    month: month.month,
    baseUrl,
    items: count.items,
    sha256,
    content,
    writtenAt: clock.now(),
  });
  return true;
}

async function* linesOf(
  database: Database,
  month: MonthToWrite,
  baseUrl: string,
  count: { items: number },
): AsyncGenerator<string> {
  let after: MonthPage['last'] = null;
  do {
    const page: MonthPage = await readMonthPage(database, month, after, rowsAtOnce);
    count.items += page.items;
    yield withBaseUrl(page.lines, baseUrl);
    after = page.last;
  } while (after !== null);
}
