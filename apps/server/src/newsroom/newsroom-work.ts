import type { CalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EditionSet, EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import type { IdSource } from '../foundation/ids.ts';
import type { Logger } from '../foundation/logger.ts';
import type { ModelCalls } from '../foundation/models/model-calls.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import type { Publisher } from '../record/index.ts';
import { readPrompt } from './copy/model/prompt.ts';
import type { AlertMail } from './desk/desk-work.ts';
import { deskTasks } from './desk/desk-work.ts';
import { editionSets } from './editions/compile-edition.ts';
import type { EditionSettings } from './editions/compose-edition.ts';
import { digestWork } from './publication/digest-story.ts';
import type { PrepareEntries } from './publication/preparation.ts';
import { createPreparationThread, prepareHere } from './publication/preparation.ts';
import type { PublicationEvents } from './publication/publish-entries.ts';
import { createPublication } from './publication/publish-entries.ts';
import { createEntryWriting, createEntryWritingSweep } from './publication/write-entries.ts';
import { createRanking } from './rankings/rank-stories.ts';
import { ItemCache } from './stories/item-cache.ts';
import type { AliasEntry } from './stories/matching/aliases.ts';
import { aliasTable, builtInAliases } from './stories/matching/aliases.ts';
import { shippedStoryModel } from './stories/matching/story-model.ts';
import { createReindexing } from './stories/reindex-items.ts';
import { createStoryUpkeep } from './stories/story-upkeep.ts';

/** A language model that writes published text, by task. */
export interface NewsroomModel {
  readonly calls: ModelCalls;
  readonly itemModel: string;
  readonly digestModel: string;
}

export interface NewsroomDeps {
  readonly database: Database;
  readonly clock: CalendarClock;
  readonly ids: IdSource;
  readonly publisher: Publisher;
  /** Names in several languages in addition to the built-in ones. */
  readonly aliases?: readonly AliasEntry[];
  /** Of the installation; English by default. */
  readonly language?: ReaderLanguage;
  /** Without a model, all text is written by rule. */
  readonly model?: NewsroomModel | null;
  /** The release of this program, stored with editions: entries that failed under another one are retried. */
  readonly release?: string;
  /** Prepares entries for publication; by default in the event loop of the process. */
  readonly prepare?: PrepareEntries;
}

function namesOf({ aliases = [] }: Pick<NewsroomDeps, 'aliases'>): readonly AliasEntry[] {
  return [...builtInAliases(), ...aliases];
}

/** Names that are equivalent in a check; common words are not names. */
function groundingAliases(entries: readonly AliasEntry[]): readonly (readonly string[])[] {
  return entries.filter(({ kind }) => kind !== 'concept').map(({ names }) => names);
}

/** The settings of editions, for a worker or a replay. */
export function editionSettings(deps: Pick<NewsroomDeps, 'language' | 'aliases'>): EditionSettings {
  return { language: deps.language ?? 'en', aliases: groundingAliases(namesOf(deps)) };
}

/** Dailies, weeklies and monthlies. */
export function newsroomEditions(
  deps: Pick<NewsroomDeps, 'clock' | 'publisher' | 'language' | 'aliases' | 'release'>,
): readonly EditionSet[] {
  const { clock, publisher, release } = deps;
  return editionSets({
    clock,
    publisher,
    ...editionSettings(deps),
    ...(release === undefined ? {} : { release }),
  });
}

type WorkDeps = NewsroomDeps & {
  readonly logger: Logger;
  readonly metrics?: PublicationEvents;
  /** Mails the editors which sources are silent or broken; null without a desk or a mailbox. */
  readonly alertMail?: AlertMail | null;
};

/** The background work of the newsroom: from new entries to published items. */
export function newsroomWork(deps: WorkDeps): EngineDeclarations {
  return {
    ...publicationWork(deps),
    editions: newsroomEditions(deps),
    recurringTasks: [createStoryUpkeep(deps), createRanking(deps), ...deskTasks(deps)],
  };
}

/** A thread that prepares entries with the same names as publication. */
export function preparationThread(
  deps: Pick<NewsroomDeps, 'aliases'>,
): ReturnType<typeof createPreparationThread> {
  return createPreparationThread({ names: namesOf(deps) });
}

/** From new entries to items, and from the items of a story to its digest. */
export function publicationWork(deps: WorkDeps): Required<Pick<EngineDeclarations, 'workflows' | 'sweeps'>> {
  const { database, clock, ids, publisher, logger, language = 'en', model = null, release = '' } = deps;
  const names = namesOf(deps);
  const aliases = groundingAliases(names);
  const digests = digestWork({
    ...deps,
    aliases,
    writer: model && { calls: model.calls, model: model.digestModel, prompt: readPrompt('write-digest') },
    onFailed: (storyId, error) => logger.warn({ err: error, storyId }, 'a digest could not be written'),
  });
  const cache = new ItemCache();
  const stories = { clock, ids, aliases: aliasTable(names), model: shippedStoryModel(), cache };
  const publication = createPublication({
    database,
    publisher,
    stories,
    prepare: deps.prepare ?? prepareHere(stories),
    language,
    isModelWriting: model !== null,
    release,
    events: publicationEvents(deps),
  });
  const reindexing = createReindexing({
    database,
    aliases: stories.aliases,
    onFailed: ({ itemId }, error) => logger.error({ err: error, itemId }, 'an item cannot be reindexed'),
  });
  const sweeps = [publication, reindexing, ...digests.sweeps];
  if (model === null) return { workflows: digests.workflows, sweeps };
  const prompt = readPrompt('write-item');
  const writer = { calls: model.calls, model: model.itemModel, prompt, language, aliases };
  const writing = createEntryWriting({ database, clock, writer });
  return {
    workflows: [writing, ...digests.workflows],
    sweeps: [createEntryWritingSweep({ clock }, writing), ...sweeps],
  };
}

function publicationEvents({ logger, metrics }: Pick<WorkDeps, 'logger' | 'metrics'>): PublicationEvents {
  return {
    published: (entries) => metrics?.published(entries),
    retried: (cause, error) => {
      logger.warn({ err: error, cause }, 'publication is retried');
      metrics?.retried(cause, error);
    },
    failed: (entry, error) => {
      logger.error({ err: error, entry: entry.id }, 'an entry cannot be published');
      metrics?.failed(entry, error);
    },
  };
}
