import type { Transaction } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { EntryId, SourceDesk } from '../../ingest/index.ts';
import type { Decisions, Publisher, decisions } from '../../record/index.ts';
import { editions } from '../../record/index.ts';
import { statementWithoutProof } from '../editions/apply-words.ts';
import { rewriteEditions } from '../editions/rewrite-edition.ts';
import { proposeStoryTitle } from '../publication/digest-story.ts';
import { listReviews } from '../publication/entry-review-store.ts';
import type { ItemOverride } from '../publication/item-override-store.ts';
import { overrideWords, readItemOverride } from '../publication/item-override-store.ts';
import { correctItem } from '../stories/editor-decisions.ts';
import { digestFindings } from './check-digest.ts';
import type { Aliases, TypedText, UnsupportedText } from './check-typed-text.ts';
import { groundingSources, typedTextFindings } from './check-typed-text.ts';
import { draftDecisions } from './decide-drafts.ts';
import { entryDecisions } from './decide-entries.ts';
import { itemDecisions } from './decide-items.ts';
import { queueDecisions } from './decide-queue.ts';
import { sourceDecisions } from './decide-sources.ts';
import { storyDecisions } from './decide-stories.ts';
import type { Decide, DecideDeps, FormState } from './decide.ts';
import { createDecide } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import type { DigestSentences, SplitDigests } from './journal.ts';
import { stateOfItem } from './journal.ts';
import { deletedDigests, restoreDigests } from './restore-digests.ts';
import { readEntryText, readSourceTexts } from './source-text-store.ts';
import { createUndo } from './undo.ts';
import type { Override } from './unless-unsupported.ts';
import { unlessUnsupported } from './unless-unsupported.ts';

export interface EditorDeskDeps extends DecideDeps {
  /** Of the installation. */
  readonly language: ReaderLanguage;
  /** For the check of typed text. */
  readonly aliases?: Aliases;
  /** The registry of sources; absent for commands, which have their own. */
  readonly sources?: SourceDesk | undefined;
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
  const [items, entries, stories, drafts, queue] = [
    itemDecisions(deps, decide),
    entryDecisions(deps, decide),
    storyDecisions(deps, decide),
    draftDecisions(deps, decide),
    queueDecisions(deps, decide),
  ];
  const typed = typedCorrections(deps, decide, { stories, entries });
  const sources = deps.sources === undefined ? null : sourceDecisions(deps.sources, decide);
  return {
    ...items,
    ...entries,
    ...stories,
    ...typed,
    ...drafts,
    dismiss: queue.dismiss,
    /** Null without a registry. */
    sources,
    undo: createUndo(deps.database, {
      clock: deps.clock,
      items,
      entries,
      stories,
      drafts,
      queue,
      sources,
      correctItem: typed.correctItem,
    }),
    /** Entries with an instruction to machines, oldest first. */
    reviews: () => listReviews(deps.database, reviewsMax),
  };
}

type ItemCorrection = Parameters<Publisher['correctItem']>[0];

/** Decisions with text that an editor types. */
function typedCorrections(
  deps: EditorDeskDeps,
  decide: Decide,
  {
    stories,
    entries,
  }: {
    readonly stories: ReturnType<typeof storyDecisions>;
    readonly entries: ReturnType<typeof entryDecisions>;
  },
) {
  const { database, aliases = [] } = deps;
  const checkEntryText = async (id: EntryId, typed: TypedText): Promise<readonly string[]> =>
    typedTextFindings(typed, groundingSources(await readEntryText(database, id), { aliases, orItem: false }));
  return {
    /** The faults of text for an entry that is not published. */
    checkEntryText,
    /** The typed text must follow from the text of the entry; otherwise it is published with a public statement. */
    editEntry: async (
      request: Parameters<typeof entries.editEntry>[0],
    ): Promise<Awaited<ReturnType<typeof entries.editEntry>> | UnsupportedText> => {
      const { title, summary, unverified } = request.words;
      const findings = await checkEntryText(request.id, {
        title: title ?? undefined,
        body: summary ?? undefined,
      });
      if (findings.length > 0 && unverified === null)
        return { ok: false, reason: 'unsupported_text', findings };
      const stated = findings.length > 0 ? unverified : null;
      return entries.editEntry({ ...request, words: { ...request.words, unverified: stated } });
    },
    correctItem: correctItemBy(deps, decide),
    correctEdition: correctEditionBy(deps, decide),
    ...typedStoryDecisions(deps, stories),
    /** The faults of text for an item; empty if its source supports all of it. */
    checkItemText: async (itemId: Id<'item'>, typed: TypedText): Promise<readonly string[]> => {
      const texts = await readSourceTexts(database, [itemId]);
      return typedTextFindings(typed, groundingSources(texts, { aliases, orItem: false }));
    },
  };
}

function typedStoryDecisions(deps: EditorDeskDeps, stories: ReturnType<typeof storyDecisions>) {
  const { database, aliases = [] } = deps;
  return {
    /** The typed title must follow from the texts of the items that move. */
    splitStory: ({ unverified, ...request }: Parameters<typeof stories.splitStory>[0] & Override) =>
      unlessUnsupported(
        deps,
        { typed: { title: request.title }, itemIds: request.itemIds, orItem: true },
        { reason: request.reason, unverified },
        (reason) => stories.splitStory({ ...request, reason }),
      ),
    /** The typed title must follow from the texts of the story's items; otherwise a correction states that it does not. */
    retitleStory: ({
      unverified,
      itemIds,
      ...request
    }: Parameters<typeof stories.retitleStory>[0] & Override & { readonly itemIds: readonly Id<'item'>[] }) =>
      unlessUnsupported(
        deps,
        { typed: { title: request.title }, itemIds, orItem: true },
        { reason: request.reason, unverified },
        // The reason is for editors, the statement is public.
        (reason) =>
          stories.retitleStory({
            ...request,
            reason,
            ...(reason !== request.reason &&
              unverified !== undefined && { statement: statementWithoutProof(unverified, deps.language) }),
          }),
      ),
    /** The faults of a title for a story with these items. */
    checkStoryTitle: async (itemIds: readonly Id<'item'>[], title: string): Promise<readonly string[]> => {
      if (title === '') return [];
      const texts = await readSourceTexts(database, itemIds);
      return typedTextFindings({ title }, groundingSources(texts, { aliases, orItem: true }));
    },
    /** What the rules would call a story whose title an editor wrote; null if they would leave it. */
    proposeStoryTitle: (storyId: Id<'story'>): Promise<string | null> =>
      proposeStoryTitle({ database, aliases }, storyId),
    /** The faults of the sentences that differ from the present digest. */
    checkDigest: (storyId: Id<'story'>, language: ReaderLanguage, sentences: DigestSentences) =>
      digestFindings(deps, storyId, language, sentences).then((faults) =>
        faults.flatMap(({ findings }) => findings),
      ),
    /** Each typed sentence must follow from the texts of the items that it cites. */
    rewriteDigest: async ({
      unverified,
      ...request
    }: Parameters<typeof stories.rewriteDigest>[0] & Override & { readonly sentences: DigestSentences }) => {
      const { storyId, language, sentences } = request;
      if (sentences.some(({ cites }) => cites.length === 0)) return refused('sentence_without_source');
      const faults = await digestFindings(deps, storyId, language, sentences);
      const findings = faults.flatMap((fault) => fault.findings);
      if (findings.length === 0) return stories.rewriteDigest(request);
      if (unverified === undefined) return { ok: false, reason: 'unsupported_text', findings } as const;
      const cites = [...new Set(faults.flatMap((fault) => fault.cites))];
      const statement = { text: statementWithoutProof(unverified, language), cites };
      return stories.rewriteDigest({ ...request, sentences: [...sentences, statement] });
    },
  };
}

type ItemPart = 'title' | 'summary' | 'category';

interface ItemCorrectionRequest
  extends Pick<ItemCorrection, 'itemId' | 'changes' | 'reason'>, Override, FormState {
  /** Of an undo: which of the changed parts rules leave as they are, and the title of the story before. */
  readonly restores?: {
    readonly kept: Partial<Readonly<Record<ItemPart, boolean>>>;
    readonly storyTitle?: { readonly from: string; readonly to: string };
    readonly storyDigests?: SplitDigests;
  };
}

/**
 * The typed title and summary must follow from the text of the item's source. The title of its story is corrected too
 * if it contains the same error. Rules no longer change the typed parts.
 */
function correctItemBy(deps: EditorDeskDeps, decide: Decide) {
  return ({ unverified, itemId, changes, reason: given, restores, ...form }: ItemCorrectionRequest) => {
    const { title, summary } = changes;
    return unlessUnsupported(
      deps,
      {
        typed: restores === undefined ? { title, body: summary } : {},
        itemIds: [itemId],
        orItem: false,
      },
      { reason: given, unverified },
      (reason) =>
        decide(
          {
            action: 'correct',
            subject: { kind: 'item', id: itemId },
            permission: deskActions.items.update,
            reason,
            ...form,
          },
          (transaction, decisions) =>
            correctWithin(deps, transaction, decisions, { itemId, changes, reason, restores }),
        ),
    );
  };
}

async function correctWithin(
  { language }: EditorDeskDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  {
    itemId,
    changes,
    reason,
    restores,
  }: Pick<ItemCorrectionRequest, 'itemId' | 'changes' | 'reason'> & {
    readonly restores: ItemCorrectionRequest['restores'] | undefined;
  },
) {
  const before = await decisions.inspectItem({ itemId });
  if (!before.ok) return before;
  const overridden = await readItemOverride(transaction, itemId);
  const parts = (['title', 'summary', 'category'] as const).filter((part) => changes[part] !== undefined);
  const kept = {
    title: overridden?.keepsTitle,
    summary: overridden?.keepsSummary,
    category: overridden?.keepsCategory,
  };
  const restored = restores === undefined ? {} : wordsOfRules(overridden, restores.kept, parts);
  // A correction of words deletes the digests that cite the item; a new title can correct the title of the story.
  const { storyId } = before.value;
  const story = await inspectIfAny(decisions, storyId);
  const done = await correctItem(transaction, decisions, {
    itemId,
    changes: { ...changes, ...restored },
    reason,
    rewriteEdition: rewriteEditions(transaction, language),
    ...(restores !== undefined && { storyTitle: restores.storyTitle ?? titleOfEditor(story) }),
  });
  if (!done.ok) return done;
  const keeps = Object.fromEntries(
    parts.map((part) => [part, restores?.kept[part] ?? restores === undefined]),
  );
  await overrideWords(transaction, itemId, keeps);
  const after = await decisions.inspectItem({ itemId });
  if (!after.ok) return after;
  const retitled = await inspectIfAny(decisions, storyId);
  const deleted = deletedDigests(story, retitled);
  if (restores?.storyDigests !== undefined && storyId !== null)
    await restoreDigests(decisions, storyId, restores.storyDigests);
  const isRetitled = story?.title !== retitled?.title;
  const isChanged = isRetitled || deleted !== null;
  const ofStory = (title = '', digests: SplitDigests | null = null) =>
    isChanged && storyId !== null
      ? { story: { id: storyId, title, ...(digests !== null && { digests }) } }
      : {};
  const was = Object.fromEntries(parts.map((part) => [part, kept[part] ?? false]));
  return accepted({
    value: done.value,
    detail: { changed: parts, was, ...(isRetitled && { retitled: storyId }) },
    change: {
      before: { ...stateOfItem(before.value), ...ofStory(story?.title, deleted) },
      after: { ...stateOfItem(after.value), ...ofStory(retitled?.title) },
      itemIds: [itemId, ...(isChanged ? (story?.itemIds ?? []) : [])],
    },
  });
}

/** An undo of a correction that did not change the title of the story leaves one that an editor wrote. */
function titleOfEditor(story: decisions.StoryState | null) {
  return story?.byEditor.includes('title') === true ? { from: story.title, to: story.title } : null;
}

async function inspectIfAny(
  decisions: Decisions,
  storyId: Id<'story'> | null,
): Promise<decisions.StoryState | null> {
  const story = storyId === null ? null : await decisions.inspectStory({ storyId });
  return story?.ok === true ? story.value : null;
}

/** Of parts that return to the rules: their newest words, if the publisher edited the article since. */
function wordsOfRules(
  overridden: ItemOverride | null,
  kept: Partial<Readonly<Record<ItemPart, boolean>>>,
  parts: readonly ItemPart[],
): { readonly title?: string; readonly summary?: string } {
  const { proposedTitle = null, proposedSummary = null } = overridden ?? {};
  const returns = (part: ItemPart): boolean => parts.includes(part) && kept[part] !== true;
  return {
    ...(proposedTitle !== null && returns('title') && { title: proposedTitle }),
    ...(proposedSummary !== null && returns('summary') && { summary: proposedSummary }),
  };
}

/** The typed headline and overview must follow from the texts of the edition's items. */
function correctEditionBy(deps: EditorDeskDeps, decide: Decide) {
  return async ({
    unverified,
    note,
    requestId,
    requestHash,
    ...request
  }: Parameters<Publisher['correctEdition']>[0] & Override & Pick<FormState, 'requestId' | 'requestHash'>) =>
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
            requestHash,
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
