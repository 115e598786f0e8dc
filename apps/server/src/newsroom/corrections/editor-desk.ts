import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Result } from '../../foundation/result.ts';
import type { EntryId } from '../../ingest/index.ts';
import { markEntryWithdrawn } from '../../ingest/index.ts';
import type { Decisions, Publisher } from '../../record/index.ts';
import { rewriteEditions } from '../editions/rewrite-edition.ts';
import { requestDigestsAtOnce } from '../publication/digest-story.ts';
import { listReviews } from '../publication/entry-review-store.ts';
import { withdrawItem } from '../publication/group-representative.ts';
import { acceptEntry, rejectEntry } from '../publication/review-entries.ts';
import { correctItem, mergeStories, splitStory } from '../stories/editor-decisions.ts';

export interface EditorDeskDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly publisher: Publisher;
  /** Of the installation. */
  readonly language: 'en' | 'zh';
}

/** More are listed after these are decided. */
const reviewsMax = 500;

/** The corrections of an editor. Each is one transaction and requires a public reason. */
export type EditorDesk = ReturnType<typeof createEditorDesk>;

type Request<Name extends keyof Publisher> = Publisher[Name] extends (request: infer Given) => unknown
  ? Given & { readonly reason: string }
  : never;

export function createEditorDesk(deps: EditorDeskDeps) {
  const { database, clock, publisher } = deps;
  const decide = <Value, Reason extends string>(
    decision: (transaction: Transaction<DB>, decisions: Decisions) => Promise<Result<Value, Reason>>,
  ): Promise<Result<Value, Reason>> =>
    retryConcurrentChanges(database, () =>
      database
        .transaction()
        .execute((transaction) =>
          publisher.within(transaction, (decisions) => decision(transaction, decisions)),
        ),
    );
  return {
    /** Erases the text of the entry as well; another item may represent its reading group. */
    withdrawItem: (request: Request<'withdrawItem'>) =>
      decide(async (transaction, decisions) => {
        const withdrawn = await withdrawItem(deps, transaction, decisions, request);
        if (withdrawn.ok) await markEntryWithdrawn(transaction, request.itemId, clock.now());
        return withdrawn;
      }),
    /** Corrects the title of its story too if that contains the same error. */
    correctItem: (request: Request<'correctItem'>) =>
      decide((transaction, decisions) =>
        correctItem(transaction, decisions, {
          ...request,
          rewriteEdition: rewriteEditions(transaction, deps.language),
        }),
      ),
    correctEdition: publisher.correctEdition,
    /** Entries with an instruction to machines, oldest first. */
    reviews: () => listReviews(database, reviewsMax),
    acceptEntry: (id: EntryId) =>
      decide((transaction, decisions) => acceptEntry(deps, transaction, decisions, id)),
    rejectEntry: (request: { readonly id: EntryId; readonly reason: string }) =>
      decide((transaction, decisions) => rejectEntry(deps, transaction, decisions, request)),
    mergeStories: (request: Request<'mergeStories'>) =>
      decide(async (transaction, decisions) => {
        const merged = await mergeStories(deps, transaction, decisions, request);
        if (merged.ok) await requestDigestsAtOnce(transaction, clock, [request.survivorId]);
        return merged;
      }),
    splitStory: (request: Request<'splitStory'>) =>
      decide(async (transaction, decisions) => {
        const split = await splitStory(deps, transaction, decisions, request);
        if (split.ok) await requestDigestsAtOnce(transaction, clock, [request.storyId, split.value.storyId]);
        return split;
      }),
  };
}
