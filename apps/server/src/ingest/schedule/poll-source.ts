import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, instantToMs } from '../../foundation/instant.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { Publisher } from '../../record/index.ts';
import type { CrawlPolicy } from '../fetch/crawl-policy.ts';
import type { FetchedDocument, FetchOutcome, FetchRequest } from '../fetch/fetch-outcome.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { PushVerdict } from '../hubs/hub-subscription.ts';
import { hubNamedBy } from '../hubs/hub-subscription.ts';
import { followNamedHub, settlePushes } from '../hubs/subscribed-poll.ts';
import { landFeed } from '../land/land-feed.ts';
import type { DomainLease, NextTurn } from '../leases/domain-lease-store.ts';
import { lockLease, releaseLockedDomain, renewLease } from '../leases/domain-lease-store.ts';
import type { RequestTurns, RunTransaction } from '../leases/request-turns.ts';
import type { ParsedFeed } from '../parse/feed.ts';
import { parseFeed } from '../parse/parse-feed.ts';
import { describeToReaders } from '../sources/describe-to-readers.ts';
import { openAuthorization } from '../sources/source-authorization.ts';
import type { NamedHub, SourceSettings } from '../sources/source.ts';
import type { Pace } from './next-poll.ts';
import { statedIntervalMs, usualGapMs } from './next-poll.ts';
import type { AnswerToStore, SourceToPoll } from './poll-store.ts';
import { postponeDomain, savePoll } from './poll-store.ts';
import type { PollResult, SettledPoll } from './settle-poll.ts';
import { settlePoll } from './settle-poll.ts';

export interface PollDeps {
  readonly fetcher: Fetcher;
  readonly crawlPolicy: CrawlPolicy;
  readonly publisher: Publisher;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly pace: Pace;
  readonly leaseMs: number;
  /** Opens the passwords of sources; null: no key is configured. */
  readonly secretBox: SecretBox | null;
}

/** The transactions and the signal of a worker's sweep or a command. */
export interface Poller {
  readonly transaction: RunTransaction;
  /** For transactions that write one or two rows, which can share a commit; `transaction` by default. */
  readonly shortTransaction?: RunTransaction;
  readonly signal: AbortSignal;
}

export interface PollReport {
  readonly outcome: string;
  readonly isAnswered: boolean;
  readonly inFeed: number;
  readonly landed: number;
  readonly revised: number;
  readonly sighted: number;
}

/** Another process may hold the domain, so nothing of this poll is committed. */
export class LeaseLost extends Error {}

const feedBytesMax = 8 * 1024 * 1024;
const feedDeadlineMs = 30_000;
const feedAccept =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.9, text/html;q=0.5, */*;q=0.3';

/**
 * One poll: fetch, parse, and commit entries, validators and the next due time in one transaction. Validators are never
 * stored without the entries of their response.
 */
export async function pollSource(
  deps: PollDeps,
  poller: Poller,
  lease: DomainLease,
  turns: RequestTurns,
  polled: SourceToPoll,
  /** Whether this poll releases the domain, unless pages of its articles may have to be fetched first. */
  endsLease = false,
): Promise<PollReport> {
  const { source } = polled;
  const askedAt = deps.clock.now();
  const outcome = await askForFeed(deps, {
    settings: source,
    validators: polled.validators,
    signal: poller.signal,
    beforeRequest: (url) => turns.before(url, source.spacingMs ?? deps.pace.spacingMs),
  });
  turns.answered();
  if (outcome.kind === 'stopped' || (outcome.kind === 'failed' && outcome.reason === 'cancelled'))
    throw new LeaseLost();
  const now = deps.clock.now();
  const read = readAnswer(outcome, polled, now);
  const release = endsLease && !source.fullText ? await turns.endMain() : null;
  const { transaction: longTransaction, shortTransaction = longTransaction } = poller;
  const runTransaction = read.result.kind === 'unchanged' ? shortTransaction : longTransaction;
  const commit = (answer: ReadAnswer): Promise<PollReport> =>
    runTransaction((transaction) =>
      commitPoll(deps, transaction, { lease, polled, askedAt, now, read: answer, release }),
    );
  const report = await commit(read).catch((error: unknown) => {
    if (!isDataError(error)) throw error;
    // Otherwise the same list would fail at every claim and block the other sources of its domain.
    const detail = `could not be stored: ${error.message}`;
    return commit({
      result: { kind: 'failed', why: 'other', detail, retryAfterMs: null },
      feed: null,
      answer: null,
    });
  });
  if (release !== null) turns.mainReleased();
  return report;
}

/** PostgreSQL refused the content of the list: data exceptions and constraint violations, classes 22 and 23. */
function isDataError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^2[23]/u.test(String(error.code));
}

async function commitPoll(
  deps: PollDeps,
  transaction: Transaction<DB>,
  poll: {
    readonly lease: DomainLease;
    readonly polled: SourceToPoll;
    readonly askedAt: EpochMicroseconds;
    readonly now: EpochMicroseconds;
    readonly read: ReadAnswer;
    /** Releases the domain in the same transaction; null: the lease continues. */
    readonly release: NextTurn | null;
  },
): Promise<PollReport> {
  const { lease, polled, askedAt, now, read, release } = poll;
  const { source, isFirstImport } = polled;
  const isHeld =
    release === null
      ? await renewLease(transaction, lease, deps.leaseMs)
      : await lockLease(transaction, lease);
  if (!isHeld) throw new LeaseLost();
  const landed =
    read.feed === null
      ? { landed: 0, revised: 0, sighted: 0 }
      : await landFeed(deps, transaction, { source, feed: read.feed, now, isFirstImport });
  const hasNews = landed.landed + landed.revised > 0;
  const result = 'hasNews' in read.result ? { ...read.result, hasNews } : read.result;
  const pushes: PushVerdict =
    read.answer === null
      ? { kind: 'none' }
      : await settlePushes(transaction, source, { askedAt, now, hasNewEntries: landed.landed > 0 });
  const { pace, random } = deps;
  const settled = settlePoll(polled.history, result, { now, pace, random, pushes });
  const { state } = settled.history;
  await savePoll(transaction, source, settled, now, read.answer);
  await followNamedHub(deps, transaction, source, { hub: read.answer?.hub ?? null, state, now });
  if (result.kind === 'failed' && result.why === 'rate limited')
    await postponeDomain(transaction, source.domain, limitedUntil(result.retryAfterMs, settled, now));
  if (state !== source.state) await describeToReaders(deps.publisher, transaction, { ...source, state });
  if (release !== null) await releaseLockedDomain(transaction, lease, release);
  return {
    outcome: settled.outcome,
    isAnswered: read.answer !== null,
    inFeed: read.feed?.entries.length ?? 0,
    ...landed,
  };
}

/** Other sources of the domain wait for Retry-After or, without it, as long as this source. */
function limitedUntil(
  retryAfterMs: number | null,
  { dueAt }: SettledPoll,
  now: EpochMicroseconds,
): EpochMicroseconds {
  return retryAfterMs === null ? dueAt : addMs(now, retryAfterMs);
}

export async function askForFeed(
  { fetcher, leaseMs, secretBox }: Pick<PollDeps, 'fetcher' | 'leaseMs' | 'secretBox'>,
  request: Pick<FetchRequest, 'validators' | 'signal' | 'beforeRequest'> & {
    readonly settings: Pick<SourceSettings, 'feedUrl' | 'sealedAuthorization'>;
  },
): Promise<FetchOutcome> {
  const { settings, ...rest } = request;
  const authorization = openAuthorization(secretBox, settings);
  if (!authorization.ok) {
    const nothingAsked = { hops: [], timing: { firstByteMs: null, totalMs: 0 } };
    return { kind: 'failed', reason: 'unusable password', detail: authorization.reason, ...nothingAsked };
  }
  return fetcher.fetch({
    url: settings.feedUrl,
    authorization: authorization.value,
    accept: feedAccept,
    bytesMax: feedBytesMax,
    // A request that outlives the lease would overlap with the connection of the next holder.
    deadlineMs: Math.min(feedDeadlineMs, leaseMs / 2 - 500),
    ...rest,
  });
}

export function parseAnswer(
  { bytes, contentType, url }: FetchedDocument,
  { language, form }: Pick<SourceSettings, 'language' | 'form'>,
  receivedAt: EpochMicroseconds,
): ReturnType<typeof parseFeed> {
  // Chinese publishers that state no time zone use China Standard Time.
  const assumedOffset = language?.startsWith('zh') === true ? '+08:00' : null;
  return parseFeed({ bytes, contentType, url, receivedAt, language, assumedOffset }, form);
}

interface ReadAnswer {
  readonly result: PollResult;
  readonly feed: ParsedFeed | null;
  readonly answer: AnswerToStore | null;
}

function readAnswer(outcome: FetchOutcome, polled: SourceToPoll, now: EpochMicroseconds): ReadAnswer {
  const failure = failureOf(outcome);
  if (failure !== null) return { result: failure, feed: null, answer: null };
  if (outcome.kind !== 'document' && outcome.kind !== 'not modified')
    return { result: { kind: 'deferred' }, feed: null, answer: null };
  const { source } = polled;
  const permanentUrl = adoptable(source, outcome.permanentUrl);
  const unchanged = {
    kind: 'unchanged',
    statedMs: statedIntervalMs(outcome.freshForMs, null),
    hasNews: false,
    usualGapMs: null,
    permanentUrl,
  } as const;
  const stored = { validators: outcome.validators, homepageUrl: null, newestEntryAt: null, hub: null };
  if (outcome.kind === 'not modified')
    return { result: unchanged, feed: null, answer: { ...stored, contentHash: null } };
  const contentHash = sha256(`${source.feedUrl}\n${outcome.contentHash}`);
  if (contentHash === polled.contentHash)
    return { result: unchanged, feed: null, answer: { ...stored, contentHash } };
  const parsed = parseAnswer(outcome, source, now);
  if (!parsed.ok) {
    const result = {
      kind: 'failed',
      why: 'other',
      detail: `no feed: ${parsed.reason}`,
      retryAfterMs: null,
    } as const;
    return { result, feed: null, answer: null };
  }
  const feed = parsed.value;
  const dates = feed.entries.map(({ published, updated }) => published.instant ?? updated.instant);
  const statedMs = statedIntervalMs(outcome.freshForMs, feed.pace);
  const gapMs = usualGapMs(
    dates.map((date) => (date === null ? null : instantToMs(date))),
    instantToMs(now),
  );
  return {
    result: { kind: 'read', statedMs, hasNews: false, usualGapMs: gapMs, permanentUrl },
    feed,
    answer: {
      validators: outcome.validators,
      contentHash,
      homepageUrl: feed.homepage,
      hub: { named: hubOf(source, outcome, feed) },
      newestEntryAt: dates.reduce((newest, date) => ((date ?? 0n) > (newest ?? 0n) ? date : newest), null),
    },
  };
}

/** No hub for a source behind a password: a subscription would reveal its address to the hub. */
function hubOf(
  { form, sealedAuthorization }: SourceSettings,
  { webSub, url }: FetchedDocument,
  feed: ParsedFeed,
): NamedHub | null {
  if (form.kind !== 'feed' || sealedAuthorization !== null) return null;
  return hubNamedBy(webSub, feed.webSub, url);
}

/** A source behind a password does not move to another origin: only the operator can move it. */
function adoptable(
  { feedUrl, sealedAuthorization }: SourceSettings,
  permanentUrl: string | null,
): string | null {
  if (permanentUrl === null || permanentUrl === feedUrl) return null;
  const isElsewhere = new URL(permanentUrl).origin !== new URL(feedUrl).origin;
  return sealedAuthorization !== null && isElsewhere ? null : permanentUrl;
}

export function failureOf(outcome: FetchOutcome): PollResult | null {
  if (outcome.kind === 'failed') {
    const detail = `${outcome.reason}: ${outcome.detail}`;
    return { kind: 'failed', why: 'other', detail, retryAfterMs: null };
  }
  if (outcome.kind !== 'refused') return null;
  const { status, retryAfterMs, isRateLimited } = outcome;
  const why = isRateLimited ? 'rate limited' : status === 410 ? 'gone' : status === 404 ? 'missing' : 'other';
  return { kind: 'failed', why, detail: `status ${status}`, retryAfterMs };
}
