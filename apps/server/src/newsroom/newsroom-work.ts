import type { CalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EngineDeclarations, Sweep } from '../foundation/engine/engine-declarations.ts';
import type { IdSource } from '../foundation/ids.ts';
import type { Logger } from '../foundation/logger.ts';
import type { ModelCalls } from '../foundation/models/model-calls.ts';
import type { SecretBox } from '../foundation/secret-box.ts';
import type { Publisher } from '../record/index.ts';
import { readPrompt } from './copy/model/prompt.ts';
import { createDigests, createDigestSweep } from './publication/digest-story.ts';
import { createPublication } from './publication/publish-entries.ts';
import { createRanking } from './rankings/rank-stories.ts';
import { reportEditions } from './reports/compile-report.ts';
import type { ReportSettings } from './reports/compose-report.ts';
import type { AliasEntry } from './stories/index.ts';
import { aliasTable, createStoryUpkeep, builtInAliases, shippedStoryModel } from './stories/index.ts';
import type { Fetcher } from './wire/fetch/fetcher.ts';
import { PublisherWishes } from './wire/fetch/publisher-wishes.ts';
import { productToken } from './wire/fetch/user-agent.ts';
import { createHubSweep } from './wire/hubs/hub-sweep.ts';
import type { Pace } from './wire/schedule/next-poll.ts';
import { defaultPace } from './wire/schedule/next-poll.ts';
import type { OnPoll } from './wire/schedule/poll-domain.ts';
import type { PollDeps } from './wire/schedule/poll-source.ts';
import { createPollSweep } from './wire/schedule/poll-sweep.ts';

/** A language model that writes what the newsroom publishes, by task. */
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
  readonly fetcher: Fetcher;
  readonly random: () => number;
  /** Names in several languages beyond those that ship with Daybook. */
  readonly aliases?: readonly AliasEntry[];
  /** Of the installation; English by default. */
  readonly language?: 'en' | 'zh';
  /** Without one everything is written by rule. */
  readonly model?: NewsroomModel | null;
  /** Other bounds than everyone's: for proofs, which cannot wait for hours. */
  readonly pace?: Pace;
  readonly leaseMs?: number;
  /** For sources behind a password, which fail without one, and for secrets shared with hubs. */
  readonly secretBox?: SecretBox | null;
  /** Where hubs reach this installation, without a slash at the end; without it nothing is asked of them. */
  readonly hubCallbackBase?: string | null;
}

/** Longer than a publisher may take to answer, twice over; a killed process keeps its domains for so long. */
const defaultLeaseMs = 62_000;

/** What a poll needs, in a worker or in a command. */
export function createPollDeps(deps: NewsroomDeps): PollDeps {
  const { database, publisher, clock, language = 'en', model = null } = deps;
  const names = namesOf(deps);
  const stories = { clock, aliases: aliasTable(names), model: shippedStoryModel() };
  const writer =
    model === null
      ? null
      : {
          calls: model.calls,
          model: model.itemModel,
          prompt: readPrompt('write-item'),
          language,
          aliases: groundingAliases(names),
        };
  return {
    ...deps,
    publication: createPublication({ database, publisher, stories, language, writer }),
    wishes: new PublisherWishes(deps.fetcher, clock, productToken),
    pace: deps.pace ?? defaultPace,
    leaseMs: deps.leaseMs ?? defaultLeaseMs,
    secretBox: deps.secretBox ?? null,
  };
}

function namesOf({ aliases = [] }: Pick<NewsroomDeps, 'aliases'>): readonly AliasEntry[] {
  return [...builtInAliases(), ...aliases];
}

/** Names that stand for one another in a check; common words are no names. */
function groundingAliases(entries: readonly AliasEntry[]): readonly (readonly string[])[] {
  return entries.filter(({ kind }) => kind !== 'concept').map(({ names }) => names);
}

/** What reports are made with, in a worker or where one is made again. */
export function reportSettings(deps: Pick<NewsroomDeps, 'language' | 'aliases'>): ReportSettings {
  return { language: deps.language ?? 'en', aliases: groundingAliases(namesOf(deps)) };
}

/** The newsroom's share of a worker's work. */
export function newsroomWork(
  deps: NewsroomDeps & {
    readonly logger: Logger;
    readonly domainsMax: number;
    readonly onPoll?: OnPoll;
  },
): EngineDeclarations {
  const polls = createPollDeps(deps);
  const onPoll: OnPoll = ({ source }, { outcome, landed, revised, sighted }) =>
    deps.logger.debug({ source: source.name, outcome, landed, revised, sighted }, 'polled');
  const { clock, publisher, model = null } = deps;
  const settings = reportSettings(deps);
  const { aliases } = settings;
  const writer =
    model === null
      ? null
      : { calls: model.calls, model: model.digestModel, prompt: readPrompt('write-digest') };
  const digests = createDigests({ ...deps, aliases, writer });
  return {
    workflows: [polls.publication, digests],
    editions: reportEditions({ clock, publisher, ...settings }),
    sweeps: [
      createPollSweep({ ...polls, onPoll, ...deps }),
      ...hubSweeps(deps, polls),
      createDigestSweep(deps, digests),
    ],
    recurringTasks: [createStoryUpkeep(deps), createRanking(deps)],
  };
}

/** None where hubs cannot reach us, or where their pushes could not be told from others'. */
function hubSweeps(
  { hubCallbackBase = null, logger }: Pick<NewsroomDeps, 'hubCallbackBase'> & { readonly logger: Logger },
  polls: PollDeps,
): readonly Sweep[] {
  const { secretBox, pace } = polls;
  if (hubCallbackBase === null || secretBox === null) return [];
  const { spacingMs } = pace;
  return [createHubSweep({ ...polls, logger, secretBox, spacingMs, callbackBase: hubCallbackBase })];
}
