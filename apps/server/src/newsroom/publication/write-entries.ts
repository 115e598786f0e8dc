import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Sweep, WorkflowDeclaration } from '../../foundation/engine/engine-declarations.ts';
import type { ItemWriterDeps } from '../copy/model/write-item.ts';
import { writeItem } from '../copy/model/write-item.ts';
import type { EntryRevision } from './entry-copy-store.ts';
import { handOverEntries, readEntryToWrite, saveCopy } from './entry-copy-store.ts';

export interface WritingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly writer: ItemWriterDeps;
}

/** News comes first in a text; the stored state of a run is bounded. */
const textCharsMax = 20_000;
const handedOverAtOnceMax = 100;

/**
 * A model writes title and summary of an entry, each entry in a run of its own, so that a slow response delays no
 * other. Publication continues with the entry once its copy is stored.
 */
export function createEntryWriting({
  database,
  writer,
}: WritingDeps): WorkflowDeclaration<EntryRevision, string> {
  return {
    name: 'write-entry',
    queue: { name: 'writing', runningPerProcessMax: 4 },
    run: async (context, given) => {
      const entry = await context.step('read', () => readEntryToWrite(database, given, textCharsMax));
      if (entry === null) return 'another revision has come';
      const copy = await writeItem(context, writer, { ...entry, language: entry.language ?? 'en' });
      await context.transaction('save', (transaction) => saveCopy(transaction, given, copy));
      return 'written';
    },
  };
}

export function createEntryWritingSweep(
  { clock }: Pick<WritingDeps, 'clock'>,
  writing: WorkflowDeclaration<EntryRevision, string>,
): Sweep {
  return {
    name: 'write-entries',
    everySeconds: 1,
    run: ({ transaction, enqueue }) =>
      transaction(async (inside) => {
        for (const given of await handOverEntries(inside, clock.now(), handedOverAtOnceMax)) {
          const id = `write-entry-${given.entryId}-r${given.revision}`;
          await enqueue(inside, writing, { id, input: given });
        }
      }),
  };
}
