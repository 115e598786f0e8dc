import type { CalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EngineDeclarations, Sweep } from '../foundation/engine/engine-declarations.ts';
import type { IdSource } from '../foundation/ids.ts';
import type { Logger } from '../foundation/logger.ts';
import type { SecretBox } from '../foundation/secret-box.ts';
import type { Publisher } from '../record/index.ts';
import { CrawlPolicy } from './fetch/crawl-policy.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import { productToken } from './fetch/user-agent.ts';
import { createHubSweep } from './hubs/hub-sweep.ts';
import type { Pace } from './schedule/next-poll.ts';
import { defaultPace } from './schedule/next-poll.ts';
import type { OnPoll } from './schedule/poll-domain.ts';
import type { PollDeps } from './schedule/poll-source.ts';
import { createPollSweep } from './schedule/poll-sweep.ts';

export interface IngestDeps {
  readonly database: Database;
  readonly clock: CalendarClock;
  readonly ids: IdSource;
  readonly publisher: Publisher;
  readonly fetcher: Fetcher;
  readonly random: () => number;
  /** Other bounds than the default: for suites, which cannot wait for hours. */
  readonly pace?: Pace;
  readonly leaseMs?: number;
  /** Seals passwords of sources and secrets shared with hubs. Without it, sources behind a password fail. */
  readonly secretBox?: SecretBox | null;
  /** The base URL of callbacks, without a slash at the end. Without it, Daybook subscribes to no hub. */
  readonly hubCallbackBase?: string | null;
}

/** More than twice the time that a publisher may take to answer. After a kill, a domain waits this long. */
const defaultLeaseMs = 62_000;

/** The dependencies of a poll, in a worker or in a command. */
export function createPollDeps(deps: IngestDeps): PollDeps {
  return {
    ...deps,
    crawlPolicy: new CrawlPolicy(deps.fetcher, deps.clock, productToken),
    pace: deps.pace ?? defaultPace,
    leaseMs: deps.leaseMs ?? defaultLeaseMs,
    secretBox: deps.secretBox ?? null,
  };
}

/** The sweeps of a worker that poll sources and subscribe to hubs. */
export function ingestWork(
  deps: IngestDeps & {
    readonly logger: Logger;
    /** Domains that one process polls at the same time. */
    readonly domainsMax: number;
    readonly metrics?: { readonly polled: OnPoll };
  },
): Required<Pick<EngineDeclarations, 'sweeps'>> {
  const { logger, metrics } = deps;
  const polls = createPollDeps(deps);
  const onPoll: OnPoll = (polled, report) => {
    const { outcome, landed, revised, sighted } = report;
    logger.debug({ source: polled.source.name, outcome, landed, revised, sighted }, 'polled');
    metrics?.polled(polled, report);
  };
  return { sweeps: [createPollSweep({ ...polls, onPoll, ...deps }), ...hubSweeps(deps, polls)] };
}

/** Empty where hubs cannot reach this installation, or where it has no key to check the signatures of pushes with. */
function hubSweeps(
  { hubCallbackBase = null, logger }: Pick<IngestDeps, 'hubCallbackBase'> & { readonly logger: Logger },
  polls: PollDeps,
): readonly Sweep[] {
  const { secretBox, pace } = polls;
  if (hubCallbackBase === null || secretBox === null) return [];
  const { spacingMs } = pace;
  return [createHubSweep({ ...polls, logger, secretBox, spacingMs, callbackBase: hubCallbackBase })];
}
