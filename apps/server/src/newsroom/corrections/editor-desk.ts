import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Result } from '../../foundation/result.ts';
import type { EntryId } from '../../ingest/index.ts';
import { markEntryWithdrawn } from '../../ingest/index.ts';
import type { Decisions, Publisher } from '../../record/index.ts';
import { editions } from '../../record/index.ts';
import { rewriteEditions } from '../editions/rewrite-edition.ts';
import { requestDigestsAtOnce } from '../publication/digest-story.ts';
import { listReviews } from '../publication/entry-review-store.ts';
import { withdrawItem } from '../publication/group-representative.ts';
import { acceptEntry, rejectEntry } from '../publication/review-entries.ts';
import { correctItem, mergeStories, splitStory } from '../stories/editor-decisions.ts';
import type { Aliases, TypedText, UnsupportedText } from './check-typed-text.ts';
import { groundingSources, reasonWithoutProof, typedTextFindings } from './check-typed-text.ts';
import { readSourceTexts } from './source-text-store.ts';

export interface EditorDeskDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly publisher: Publisher;
  /** Of the installation. */
  readonly language: ReaderLanguage;
  /** For the check of typed text. */
  readonly aliases?: Aliases;
}

/** Publishes typed text that the sources do not support, with this public reason. */
interface Override {
  readonly unverified?: string | undefined;
}

/** More are listed after these are decided. */
const reviewsMax = 500;

/** The corrections of an editor. Each is one transaction and requires a public reason. */
export type EditorDesk = ReturnType<typeof createEditorDesk>;

type Request<Name extends keyof Publisher> = Publisher[Name] extends (request: infer Given) => unknown
  ? Given & { readonly reason: string }
  : never;

type Decide = ReturnType<typeof createDecide>;

/** Runs several decisions in one transaction. */
function createDecide({ database, publisher }: EditorDeskDeps) {
  return <Value, Reason extends string>(
    decision: (transaction: Transaction<DB>, decisions: Decisions) => Promise<Result<Value, Reason>>,
  ): Promise<Result<Value, Reason>> =>
    retryConcurrentChanges(database, () =>
      database
        .transaction()
        .execute((transaction) =>
          publisher.within(transaction, (decisions) => decision(transaction, decisions)),
        ),
    );
}

/** Corrections with text that an editor types. */
function typedCorrections(deps: EditorDeskDeps, decide: Decide) {
  const { database, clock, publisher } = deps;
  return {
    /**
     * The typed title and summary must follow from the text of the item's source. The title of its story is corrected
     * too if it contains the same error.
     */
    correctItem: ({ unverified, ...request }: Request<'correctItem'> & Override) => {
      const { title, summary } = request.changes;
      return unlessUnsupported(
        deps,
        { typed: { title, body: summary }, itemIds: [request.itemId], orItem: false },
        { reason: request.reason, unverified },
        (reason) =>
          decide((transaction, decisions) =>
            correctItem(transaction, decisions, {
              ...request,
              reason,
              rewriteEdition: rewriteEditions(transaction, deps.language),
            }),
          ),
      );
    },
    /** The typed headline and overview must follow from the texts of the edition's items. */
    correctEdition: async ({
      unverified,
      note,
      ...request
    }: Parameters<Publisher['correctEdition']>[0] & Override) =>
      unlessUnsupported(
        deps,
        {
          typed: { title: request.words?.headline, body: request.words?.overview },
          itemIds: await itemsOfEdition(database, request),
          orItem: true,
        },
        { reason: note, unverified },
        (reason) => publisher.correctEdition({ ...request, note: reason }),
      ),
    /** The typed title must follow from the texts of the items that move. */
    splitStory: ({ unverified, ...request }: Request<'splitStory'> & Override) =>
      unlessUnsupported(
        deps,
        { typed: { title: request.title }, itemIds: request.itemIds, orItem: true },
        { reason: request.reason, unverified },
        (reason) =>
          decide(async (transaction, decisions) => {
            const split = await splitStory(deps, transaction, decisions, { ...request, reason });
            if (split.ok)
              await requestDigestsAtOnce(transaction, clock, [request.storyId, split.value.storyId]);
            return split;
          }),
      ),
  };
}

export function createEditorDesk(deps: EditorDeskDeps) {
  const { database, clock } = deps;
  const decide = createDecide(deps);
  return {
    ...typedCorrections(deps, decide),
    /** Erases the text of the entry as well; another item may represent its reading group. */
    withdrawItem: (request: Request<'withdrawItem'>) =>
      decide(async (transaction, decisions) => {
        const withdrawn = await withdrawItem(deps, transaction, decisions, request);
        if (withdrawn.ok) await markEntryWithdrawn(transaction, request.itemId, clock.now());
        return withdrawn;
      }),
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
  };
}

async function itemsOfEdition(
  database: Database,
  { kind, period }: editions.EditionKey,
): Promise<readonly Id<'item'>[]> {
  const edition = await editions.readEdition(database, kind, period);
  if (edition === null) return [];
  const { sections, flashes, reports } = edition;
  return [...sections.flatMap(({ items }) => items), ...flashes, ...reports.map(({ item }) => item)].map(
    ({ id }) => id,
  );
}

/** Runs the correction if the texts of the items support the typed text, or if the editor overrides the check. */
async function unlessUnsupported<Corrected>(
  { database, language, aliases = [] }: EditorDeskDeps,
  checked: { readonly typed: TypedText; readonly itemIds: readonly Id<'item'>[]; readonly orItem: boolean },
  { reason, unverified }: Override & { readonly reason: string },
  correct: (reason: string) => Promise<Corrected>,
): Promise<Corrected | UnsupportedText> {
  const texts = await readSourceTexts(database, checked.itemIds);
  // An unknown or withdrawn subject is refused by the correction itself.
  if (texts.length === 0) return correct(reason);
  const sources = groundingSources(texts, { aliases, orItem: checked.orItem });
  const findings = typedTextFindings(checked.typed, sources);
  if (findings.length === 0) return correct(reason);
  if (unverified === undefined) return { ok: false, reason: 'unsupported_text', findings };
  return correct(reasonWithoutProof(reason, unverified, language));
}
