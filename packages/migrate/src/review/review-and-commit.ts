import { confirm } from '@clack/prompts';

import type { Migration } from '../cli/migration.ts';
import { commitFrom } from '../cli/migration.ts';
import { plural } from '../cli/terminal.ts';
import type { CommitOutcome } from '../commit/commit-chunks.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { countChunks, readChunks } from '../queue/chunk-store.ts';
import { openKeyboard } from './keyboard.ts';
import { ReviewLoop } from './review-loop.ts';
import { ReviewSession } from './review-session.ts';

const decided: ChunkFilter = { states: ['approved', 'modified'] };

/** Walks through what the filter gives, then commits what was approved, if the person says so. */
export async function reviewAndCommit(migration: Migration, filter: ChunkFilter): Promise<CommitOutcome> {
  const { host, queue, dryRun } = migration;
  await walk(migration, new ReviewSession(queue, filter));
  const count = countChunks(queue.database, decided);
  const message = `${dryRun ? 'Show' : 'Commit'} ${plural(count, 'approved chunk')} now? They stay approved if you do it later.`;
  const isWanted = count > 0 && (await confirm({ message })) === true;
  if (!isWanted && count > 0)
    host.stdout.write('Nothing was committed yet; approve --review goes on from here.\n');
  return commitFrom(
    migration,
    'approve --review',
    isWanted ? readChunks(queue.database, decided) : [],
    count,
  );
}

async function walk(migration: Migration, session: ReviewSession): Promise<void> {
  const { stdin, stdout } = migration.host;
  const keyboard = openKeyboard(stdin);
  // The alternate screen, so that the person's own scroll-back is left as it was.
  stdout.write('\u001b[?1049h\u001b[?25l\u001b[2J');
  try {
    await new ReviewLoop(migration, session, keyboard).run();
  } finally {
    stdout.write('\u001b[?25h\u001b[?1049l');
    keyboard.close();
  }
}
