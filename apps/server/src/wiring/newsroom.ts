import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Transaction } from 'kysely';

import packageFile from '../../package.json' with { type: 'json' };
import type { Config, ModelConfig } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import { createCalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { DB } from '../foundation/database/generated/database-types.ts';
import type { Id } from '../foundation/ids.ts';
import { createIdSource } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { createStrictLimiter } from '../foundation/limits/strict-limiter.ts';
import { createModelBreaker } from '../foundation/models/model-breaker.ts';
import { createModelBudget } from '../foundation/models/model-budget.ts';
import { createModelCalls } from '../foundation/models/model-calls.ts';
import { createModelEndpoint } from '../foundation/models/model-endpoint.ts';
import { createSourceDesk } from '../ingest/index.ts';
import type { DeskDeps } from '../newsroom/desk/index.ts';
import { deskLive, fetchLimit } from '../newsroom/desk/index.ts';
import type { EditorDesk, NewsroomDeps, NewsroomModel, Replay } from '../newsroom/index.ts';
import {
  createEditorDesk,
  editionSettings,
  parseAliases,
  replayEdition as replay,
} from '../newsroom/index.ts';
import type { editions } from '../record/index.ts';
import type { RankingReplay } from '../record/wiring.ts';
import { createPublisher, replayRanking } from '../record/wiring.ts';
import { withDatabase } from './connections.ts';
import { openIngest } from './ingest.ts';

/** Opens the dependencies of a worker's newsroom. */
export function openNewsroom(config: Config, database: Database, clock: CalendarClock): NewsroomDeps {
  const ids = createIdSource({ clock, randomBytes });
  return {
    database,
    clock,
    ids,
    publisher: createPublisher({ database, clock, ids }),
    ...languageAndNames(config),
    model: openModel(config.newsroom.model, database),
    release: packageFile.version,
  };
}

function languageAndNames(config: Config): Required<Pick<NewsroomDeps, 'language' | 'aliases'>> {
  const { aliasesFile } = config.newsroom;
  const aliases = aliasesFile === '' ? [] : parseAliases(readFileSync(aliasesFile, 'utf8'));
  return { language: config.site.language, aliases };
}

/** Null without a model. Breakers belong to a process, the budget to all. */
export function openModel(config: ModelConfig | null, database: Database): NewsroomModel | null {
  if (config === null) return null;
  return {
    calls: createModelCalls({
      endpoint: createModelEndpoint(config),
      breaker: createModelBreaker({ elapsedMs: () => performance.now() }),
      budget: createModelBudget({ database, ...config }),
    }),
    itemModel: config.itemModel,
    digestModel: config.digestModel,
  };
}

/** The parts of the desk's pages; null where no organization owns the newsroom. */
export function openDesk(
  config: Config,
  database: Database,
  clock: CalendarClock,
): { readonly deps: DeskDeps; readonly close: () => Promise<void> } | null {
  const { organization } = config.newsroom;
  if (organization === null) return null;
  const { deps: ingest, close } = openIngest(config, database, clock);
  const poller = {
    transaction: <Output>(inside: (transaction: Transaction<DB>) => Promise<Output>) =>
      database.transaction().execute(inside),
    signal: new AbortController().signal,
  };
  const { ids, publisher } = ingest;
  const sources = createSourceDesk({ ...ingest, poller });
  const settings = editionSettings(languageAndNames(config));
  const fetchLimiter = createStrictLimiter({ database, ...fetchLimit });
  return {
    deps: {
      organization,
      database,
      clock,
      ids,
      publisher,
      sources,
      fetchLimiter,
      events: deskLive.createDeskEvents({ database }),
      ...settings,
    },
    close,
  };
}

/** For a command that makes a correction and exits. */
export async function withEditorDesk(
  config: Config,
  work: (desk: EditorDesk) => Promise<void>,
): Promise<void> {
  const clock = createCalendarClock(config.simulatedTime);
  await withDatabase(config, { name: 'daybook newsroom' }, (database) => {
    const publisher = createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) });
    const settings = editionSettings(languageAndNames(config));
    return work(createEditorDesk({ database, clock, publisher, ...settings }));
  });
}

/** With the language and names that a worker here would use; writes nothing. */
export function replayEdition(config: Config, key: editions.EditionKey): Promise<Replay> {
  return withDatabase(config, { name: 'daybook newsroom' }, (database) =>
    replay(database, editionSettings(languageAndNames(config)), key),
  );
}

/** Null where no such ranking exists; writes nothing. */
export function replayPublishedRanking(
  config: Config,
  which: Id<'ranking'> | EpochMicroseconds,
): Promise<RankingReplay | null> {
  return withDatabase(config, { name: 'daybook newsroom' }, (database) => replayRanking(database, which));
}
