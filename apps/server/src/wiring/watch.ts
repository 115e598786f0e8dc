import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import type { Logger } from '../foundation/logger.ts';
import { createPostOnce } from '../foundation/outbound/post-once.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import { userAgent } from '../ingest/index.ts';
import type { NewsDeps } from '../news/index.ts';
import type { WatchRoutesDeps } from '../watch/wiring.ts';
import { watchWork } from '../watch/wiring.ts';
import type { Accounts } from './accounts.ts';
import { openMailSender } from './mailing.ts';

/** What the API and the pages of saved searches depend on. */
export function savedSearchDeps(
  { identity, access }: Pick<Accounts, 'identity' | 'access'>,
  { baseUrl, storyLayer, language }: Pick<NewsDeps, 'baseUrl' | 'storyLayer' | 'language'>,
): WatchRoutesDeps {
  const { database, clock, ids, secretBox, dataSurface: surface } = identity;
  const { cursorKeys } = access;
  return { database, clock, ids, secretBox, cursorKeys, surface, baseUrl, storyLayer, language };
}

/** The jobs of a worker for saved searches; none without accounts. */
export function openWatchWork(
  config: Config,
  database: Database,
  clock: CalendarClock,
  logger: Logger,
): EngineDeclarations {
  const { secretKeys } = config.identity;
  if (secretKeys.length === 0) return {};
  const { baseUrl, storyLayer } = config.news;
  return watchWork({
    database,
    clock,
    logger,
    baseUrl,
    storyLayer,
    secretBox: createSecretBox(secretKeys),
    sendMail: openMailSender(config),
    post: createPostOnce({ examplePort: config.newsroom.examplePort }),
    userAgent: userAgent(packageFile.version, `${baseUrl}/terms`),
  });
}
