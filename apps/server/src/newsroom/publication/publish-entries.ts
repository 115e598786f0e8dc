import type { Transaction } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { WorkflowContext, WorkflowDeclaration } from '../../foundation/engine/engine-declarations.ts';
import type { Publisher } from '../../record/index.ts';
import type { ItemWriterDeps } from '../copy/model/write-item.ts';
import { writeItem } from '../copy/model/write-item.ts';
import type { ItemCopy } from '../copy/writer.ts';
import type { EntryId } from '../wire/land/entry-store.ts';
import type { EntriesToPublish } from '../wire/land/land-feed.ts';
import { lockEntriesToPublish, markShown, readEntryToWrite } from './entry-to-publish-store.ts';
import type { EntryDeps } from './publish-entry.ts';
import { prepareEntry, publishEntry } from './publish-entry.ts';

export interface PublicationDeps extends EntryDeps {
  readonly database: Database;
  readonly publisher: Publisher;
  /** Null: titles and summaries are written by rule. */
  readonly writer: ItemWriterDeps | null;
}

/** News stands in front; what the engine keeps of a run is bounded. */
const textCharsMax = 20_000;

/**
 * Makes items of entries that have landed, and revises the items of those that were edited. The last step is one
 * transaction: items, stories, selection and the note of which revision is shown, so an entry becomes one item
 * whatever fails. With a model each entry is a run of its own, so that a slow answer holds up nobody else.
 */
export function createPublication(deps: PublicationDeps): WorkflowDeclaration<EntriesToPublish, number> {
  const { writer } = deps;
  const publication: WorkflowDeclaration<EntriesToPublish, number> = {
    name: 'publish-entries',
    // The steps with a model are others than those without one.
    version: writer === null ? 1 : 2,
    queue: { name: 'publication', runningPerProcessMax: 4 },
    run: (context, { entryIds }) => {
      const [first, second] = entryIds;
      if (writer === null || first === undefined) return publishByRule(deps, context, entryIds);
      if (second === undefined) return publishByModel(deps, writer, context, first);
      return context.transaction('one run for each', async (transaction) => {
        for (const id of entryIds)
          await context.enqueue(transaction, publication, {
            id: `${context.workflowId}-${id}`,
            input: { entryIds: [id] },
          });
        return entryIds.length;
      });
    },
  };
  return publication;
}

async function publishByRule(
  deps: PublicationDeps,
  context: WorkflowContext,
  entryIds: readonly EntryId[],
): Promise<number> {
  const publish = (step: string, ids: readonly EntryId[]): Promise<number> =>
    context.transaction(step, (transaction) => publishEntries(deps, transaction, ids, null));
  try {
    return await publish('publish', entryIds);
  } catch (error) {
    if (entryIds.length === 1) throw error;
  }
  // One of them cannot be published: the others are, and the run fails where an operator sees it.
  const faults: unknown[] = [];
  for (const id of entryIds)
    await publish(`publish ${id}`, [id]).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} entries cannot be published`);
  return entryIds.length;
}

async function publishByModel(
  deps: PublicationDeps,
  writer: ItemWriterDeps,
  context: WorkflowContext,
  id: EntryId,
): Promise<number> {
  const entry = await context.step('read', () => readEntryToWrite(deps.database, id, textCharsMax));
  if (entry === null) return 0;
  const { revision } = entry;
  if (entry.isWithdrawn) return publishByRule(deps, context, [id]);
  const copy = await writeItem(context, writer, { ...entry, language: entry.language ?? 'en' });
  return context.transaction('publish', (transaction) =>
    publishEntries(deps, transaction, [id], { copy, revision }),
  );
}

async function publishEntries(
  deps: PublicationDeps,
  transaction: Transaction<DB>,
  ids: readonly EntryId[],
  written: { readonly copy: ItemCopy; readonly revision: number } | null,
): Promise<number> {
  const locked = await lockEntriesToPublish(transaction, ids);
  // What was written about an earlier revision is not shown: the edit has a run of its own.
  const entries = locked.filter(({ revision }) => written === null || written.revision === revision);
  // Read before the index of stories is locked.
  const prepared = entries.map((entry) => prepareEntry(deps, entry, written?.copy ?? null));
  await deps.publisher.within(transaction, async (decisions) => {
    for (const entry of prepared) await publishEntry(deps, transaction, decisions, entry);
  });
  await markShown(transaction, entries);
  return entries.length;
}
