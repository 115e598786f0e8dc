import { TileTree } from '@daybook/client/log';
import { writeEpochStatement, writeNote } from '@daybook/client/log/signing';

import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { endEpoch, readEpochHead } from './log-epoch-store.ts';
import type { LogSigner } from './log-keys.ts';
import { tilesOf } from './tile-store.ts';

export interface StartedEpoch {
  readonly epoch: number;
  /** The leaves that the new epoch begins with. */
  readonly size: number;
  readonly statement: string;
}

/** The name of the log in its next epoch: `news.example/log`, `news.example/log/2` and so on. */
export function nextOrigin(origin: string, epoch: number): string {
  const own = `/${epoch}`;
  const first = epoch > 1 && origin.endsWith(own) ? origin.slice(0, -own.length) : origin;
  return `${first}/${epoch + 1}`;
}

/**
 * Ends the epoch of the log and begins the next, which has the same leaves so far. Both keys state it: a reader of the
 * ended log learns the next key from a key that the reader trusts.
 */
export async function startLogEpoch(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  keys: { readonly ended: LogSigner; readonly begun: LogSigner },
): Promise<StartedEpoch> {
  return database.transaction().execute(async (transaction) => {
    const head = await readEpochHead(transaction);
    if (head.origin !== keys.ended.origin)
      throw new Error(`the database has the log ${head.origin ?? 'of no name'}, not ${keys.ended.origin}`);
    const { size, epoch } = head;
    const text = writeEpochStatement({
      from: {
        origin: keys.ended.origin,
        size,
        root: await new TileTree(size, tilesOf(transaction)).root(),
      },
      to: keys.begun.verifierKeys[0] ?? '',
      at: isoMilliseconds(clock.now()),
    });
    const signatures = [...(await keys.ended.signaturesOf(text)), ...(await keys.begun.signaturesOf(text))];
    const statement = writeNote({ text, signatures });
    await endEpoch(transaction, {
      epoch: epoch + 1,
      origin: keys.begun.origin,
      size,
      statement,
      verifierKeys: keys.begun.verifierKeys.join('\n'),
    });
    return { epoch: epoch + 1, size, statement };
  });
}
