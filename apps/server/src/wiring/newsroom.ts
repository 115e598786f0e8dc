import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import packageFile from '../../package.json' with { type: 'json' };
import type { Config, ModelConfig } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import { createCalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { isLoopbackHost } from '../foundation/http/loopback-host.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Id } from '../foundation/ids.ts';
import { createIdSource } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { createModelBreaker } from '../foundation/models/model-breaker.ts';
import { createModelBudget } from '../foundation/models/model-budget.ts';
import { createModelCalls } from '../foundation/models/model-calls.ts';
import { createModelEndpoint } from '../foundation/models/model-endpoint.ts';
import type { SecretBox } from '../foundation/secret-box.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import type { EditorDesk, NewsroomDeps, NewsroomModel, Replay, SourceDesk } from '../newsroom/index.ts';
import {
  createEditorDesk,
  createFetcher,
  createPollDeps,
  createSourceDesk,
  defaultPace,
  hubRoutes,
  parseAliases,
  pushedPollSpacingMs,
  replayEdition as replay,
  editionSettings,
  userAgent,
} from '../newsroom/index.ts';
import type { recorded } from '../record/index.ts';
import type { RankingReplay } from '../record/wiring.ts';
import { createPublisher, replayRanking } from '../record/wiring.ts';
import { connect } from './connections.ts';

/** What the newsroom works with, in a worker or in a command. */
export function openNewsroom(
  config: Config,
  database: Database,
  clock: CalendarClock,
): { readonly deps: NewsroomDeps; readonly close: () => Promise<void> } {
  const ids = createIdSource({ clock, randomBytes });
  const fetcher = createFetcher({
    userAgent: userAgent(packageFile.version, `${config.news.baseUrl}/terms`),
    clock,
    examplePort: config.newsroom.examplePort,
  });
  const publisher = createPublisher({ database, clock, ids });
  return {
    deps: {
      database,
      clock,
      ids,
      publisher,
      fetcher,
      ...languageAndNames(config),
      model: openModel(config.newsroom.model, database),
      random: Math.random,
      secretBox: openSecretBox(config),
      hubCallbackBase: hubCallbackBase(config),
      release: packageFile.version,
    },
    close: () => fetcher.close(),
  };
}

function languageAndNames(config: Config): Required<Pick<NewsroomDeps, 'language' | 'aliases'>> {
  const { aliasesFile } = config.newsroom;
  const aliases = aliasesFile === '' ? [] : parseAliases(readFileSync(aliasesFile, 'utf8'));
  return { language: config.site.language, aliases };
}

/** Null where no hub could reach this installation over https; the simulated ones reach it on this machine. */
function hubCallbackBase({ news: { baseUrl }, newsroom: { examplePort } }: Config): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  const isPublic = protocol === 'https:' && !isLoopbackHost(hostname);
  return isPublic || examplePort !== null ? baseUrl : null;
}

/** What hubs call; nothing where the worker subscribes to none. */
export function openHubRoutes(
  config: Config,
  database: Database,
  clock: CalendarClock,
): readonly RouteDeclaration[] {
  const secretBox = openSecretBox(config);
  if (hubCallbackBase(config) === null || secretBox === null) return [];
  return hubRoutes({
    database,
    clock,
    secretBox,
    pushedPollSpacingMs: pushedPollSpacingMs(defaultPace),
  });
}

/** Null without a key: then sources behind a password cannot be added or asked, and hubs not subscribed to. */
function openSecretBox({ identity: { secretKeys } }: Config): SecretBox | null {
  return secretKeys.length === 0 ? null : createSecretBox(secretKeys);
}

/** Null without one. Breakers belong to a process, the budget to all. */
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

/** For a command that works with sources and ends. Its polls need no worker: leases keep them apart. */
export async function withSourceDesk(
  config: Config,
  signal: AbortSignal,
  work: (desk: SourceDesk) => Promise<void>,
): Promise<void> {
  const clock = createCalendarClock(config.simulatedTime);
  const { applicationUrl } = config.database;
  const application = connect(config, applicationUrl, 'daybook sources');
  const { database } = application;
  const newsroom = openNewsroom(config, database, clock);
  try {
    const desk = createSourceDesk({
      database,
      clock,
      ids: newsroom.deps.ids,
      publisher: newsroom.deps.publisher,
      polls: createPollDeps(newsroom.deps),
      poller: {
        transaction: (inside) => database.transaction().execute(inside),
        signal,
      },
    });
    await work(desk);
  } finally {
    await newsroom.close();
    await application.close();
  }
}

/** For a command that puts something right and ends. */
export async function withEditorDesk(
  config: Config,
  work: (desk: EditorDesk) => Promise<void>,
): Promise<void> {
  const clock = createCalendarClock(config.simulatedTime);
  await withOneConnection(config, (database) => {
    const publisher = createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) });
    return work(createEditorDesk({ database, clock, publisher, language: config.site.language }));
  });
}

/** With the language and names that a worker here would use; writes nothing. */
export function replayEdition(config: Config, key: recorded.EditionKey): Promise<Replay> {
  return withOneConnection(config, (database) =>
    replay(database, editionSettings(languageAndNames(config)), key),
  );
}

/** Null where there is no such ranking; writes nothing. */
export function replayPublishedRanking(
  config: Config,
  which: Id<'ranking'> | EpochMicroseconds,
): Promise<RankingReplay | null> {
  return withOneConnection(config, (database) => replayRanking(database, which));
}

async function withOneConnection<Value>(
  config: Config,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const { database, close } = connect(config, config.database.applicationUrl, 'daybook newsroom', {
    connectionsMax: 1,
  });
  try {
    return await work(database);
  } finally {
    await close();
  }
}
