import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { accepted } from '../../foundation/result.ts';
import type { SourceDesk } from '../../ingest/index.ts';
import type { Publisher } from '../../record/index.ts';
import { editions } from '../../record/index.ts';
import { rewriteEditions } from '../editions/rewrite-edition.ts';
import { listReviews } from '../publication/entry-review-store.ts';
import { overrideWords } from '../publication/item-override-store.ts';
import { correctItem } from '../stories/editor-decisions.ts';
import type { Aliases, TypedText, UnsupportedText } from './check-typed-text.ts';
import { groundingSources, reasonWithoutProof, typedTextFindings } from './check-typed-text.ts';
import { draftDecisions } from './decide-drafts.ts';
import { entryDecisions } from './decide-entries.ts';
import { itemDecisions } from './decide-items.ts';
import { sourceDecisions } from './decide-sources.ts';
import { storyDecisions } from './decide-stories.ts';
import type { Decide, DecideDeps, FormState } from './decide.ts';
import { createDecide } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import { readSourceTexts } from './source-text-store.ts';
import { createUndo } from './undo.ts';

export interface EditorDeskDeps extends DecideDeps {
  /** Of the installation. */
  readonly language: ReaderLanguage;
  /** For the check of typed text. */
  readonly aliases?: Aliases;
  /** The registry of sources; absent for commands, which have their own. */
  readonly sources?: SourceDesk | undefined;
}

/** Publishes typed text that the sources do not support, with this public reason. */
interface Override {
  readonly unverified?: string | undefined;
}

/** More are listed after these are decided. */
const reviewsMax = 500;

/**
 * The decisions of editors, at the command line and on the pages of the desk. Each is one transaction with an entry in
 * the journal.
 */
export type EditorDesk = ReturnType<typeof createEditorDesk>;

export function createEditorDesk(deps: EditorDeskDeps) {
  const decide = createDecide(deps);
  const [items, entries, stories, drafts] = [
    itemDecisions(deps, decide),
    entryDecisions(deps, decide),
    storyDecisions(deps, decide),
    draftDecisions(deps, decide),
  ];
  const typed = typedCorrections(deps, decide, stories);
  const sources = deps.sources === undefined ? null : sourceDecisions(deps.sources, decide);
  return {
    ...items,
    ...entries,
    ...stories,
    ...typed,
    ...drafts,
    /** Null without a registry. */
    sources,
    undo: createUndo(deps.database, {
      clock: deps.clock,
      items,
      entries,
      stories,
      drafts,
      sources,
      correctItem: typed.correctItem,
    }),
    /** Entries with an instruction to machines, oldest first. */
    reviews: () => listReviews(deps.database, reviewsMax),
  };
}

type ItemCorrection = Parameters<Publisher['correctItem']>[0];

/** Decisions with text that an editor types. */
function typedCorrections(deps: EditorDeskDeps, decide: Decide, stories: ReturnType<typeof storyDecisions>) {
  return {
    correctItem: correctItemBy(deps, decide),
    correctEdition: correctEditionBy(deps, decide),
    /** The typed title must follow from the texts of the items that move. */
    splitStory: ({ unverified, ...request }: Parameters<typeof stories.splitStory>[0] & Override) =>
      unlessUnsupported(
        deps,
        { typed: { title: request.title }, itemIds: request.itemIds, orItem: true },
        { reason: request.reason, unverified },
        (reason) => stories.splitStory({ ...request, reason }),
      ),
    /** The typed title must follow from the texts of the story's items. */
    retitleStory: ({
      unverified,
      itemIds,
      ...request
    }: Parameters<typeof stories.retitleStory>[0] & Override & { readonly itemIds: readonly Id<'item'>[] }) =>
      unlessUnsupported(
        deps,
        { typed: { title: request.title }, itemIds, orItem: true },
        { reason: request.reason, unverified },
        (reason) => stories.retitleStory({ ...request, reason }),
      ),
    /** The faults of text for an item; empty if its source supports all of it. */
    checkItemText: async (itemId: Id<'item'>, typed: TypedText): Promise<readonly string[]> => {
      const texts = await readSourceTexts(deps.database, [itemId]);
      return typedTextFindings(
        typed,
        groundingSources(texts, { aliases: deps.aliases ?? [], orItem: false }),
      );
    },
  };
}

/**
 * The typed title and summary must follow from the text of the item's source. The title of its story is corrected too
 * if it contains the same error. Rules no longer change the typed parts; `byRule` returns them to the rules.
 */
function correctItemBy(deps: EditorDeskDeps, decide: Decide) {
  return ({
    unverified,
    byRule = false,
    version,
    requestId,
    undoes,
    ...request
  }: Pick<ItemCorrection, 'itemId' | 'changes' | 'reason'> &
    Override &
    FormState & { readonly byRule?: boolean }) => {
    const { itemId, changes } = request;
    const { title, summary, category } = changes;
    return unlessUnsupported(
      deps,
      { typed: byRule ? {} : { title, body: summary }, itemIds: [itemId], orItem: false },
      { reason: request.reason, unverified },
      (reason) =>
        decide(
          {
            action: 'correct',
            subject: { kind: 'item', id: itemId },
            permission: deskActions.items.update,
            reason,
            version,
            requestId,
            undoes,
          },
          async (transaction, decisions) => {
            const rewriteEdition = rewriteEditions(transaction, deps.language);
            const done = await correctItem(transaction, decisions, { ...request, reason, rewriteEdition });
            if (!done.ok) return done;
            await overrideWords(transaction, itemId, {
              ...(title !== undefined && { title: !byRule }),
              ...(summary !== undefined && { summary: !byRule }),
              ...(category !== undefined && { category: !byRule }),
            });
            return accepted({ value: done.value, detail: { changed: Object.keys(changes) } });
          },
        ),
    );
  };
}

/** The typed headline and overview must follow from the texts of the edition's items. */
function correctEditionBy(deps: EditorDeskDeps, decide: Decide) {
  return async ({
    unverified,
    note,
    requestId,
    ...request
  }: Parameters<Publisher['correctEdition']>[0] & Override & Pick<FormState, 'requestId'>) =>
    unlessUnsupported(
      deps,
      {
        typed: { title: request.words?.headline, body: request.words?.overview },
        itemIds: await itemsOfEdition(deps.database, request),
        orItem: true,
      },
      { reason: note, unverified },
      (reason) =>
        decide(
          {
            action: 'correct',
            subject: { kind: request.kind, id: request.period },
            permission: deskActions.editions.update,
            reason,
            requestId,
          },
          async (_transaction, decisions) => {
            const done = await decisions.correctEdition({ ...request, note: reason });
            return done.ok
              ? accepted({ value: done.value, detail: { revision: done.value.revision } })
              : done;
          },
        ),
    );
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
