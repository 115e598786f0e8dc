import type { Dialog } from '../cli/dialog.ts';
import type { Migration } from '../cli/migration.ts';
import { commitFrom } from '../cli/migration.ts';
import { plural } from '../cli/terminal.ts';
import { StoppedError } from '../commit/approval-question.ts';
import type { CommitOutcome } from '../commit/commit-chunks.ts';
import { emptyOutcome } from '../commit/commit-chunks.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { countChunks } from '../queue/chunk-store.ts';
import { lineDevice, screenDevice } from './review-device.ts';
import { ReviewLoop } from './review-loop.ts';
import { ReviewSession } from './review-session.ts';

const decided: ChunkFilter = { states: ['approved', 'modified'] };

/** Reviews the filtered chunks, then commits the approved ones if the user confirms. */
export async function reviewAndCommit(
  migration: Migration,
  dialog: Dialog,
  filter: ChunkFilter,
): Promise<CommitOutcome> {
  const { host, queue, dryRun, stamp } = migration;
  try {
    await walk(migration, new ReviewSession(queue, migration.learner, filter));
    const count = countChunks(queue.database, decided);
    if (count === 0) return emptyOutcome(stamp.run);
    const message = `${dryRun ? 'Show' : 'Commit'} ${plural(count, 'approved chunk')} now? They stay approved if you do it later.`;
    if (await dialog.confirm(message, true)) return await commitFrom(migration, 'approve --review', decided);
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { ...emptyOutcome(stamp.run), stopped: true };
  }
  host.stdout.write('Nothing was committed yet. Continue with approve --review.\n');
  return emptyOutcome(stamp.run);
}

async function walk({ host, lines, ...rest }: Migration, session: ReviewSession): Promise<void> {
  const device = lines === null ? screenDevice(host) : lineDevice(host, lines);
  try {
    await new ReviewLoop({ host, lines, ...rest }, session, device).run();
  } finally {
    device.close();
  }
}
