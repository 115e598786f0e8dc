import { dayMs } from '../../foundation/clock.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, instantToMs } from '../../foundation/instant.ts';
import type { PushVerdict } from '../hubs/hub-subscription.ts';
import type { SourceState } from '../sources/source.ts';
import type { Pace } from './next-poll.ts';
import {
  announcedIntervalMs,
  backoffMs,
  nextIntervalMs,
  pushedPollSpacingMs,
  withJitter,
} from './next-poll.ts';

/** The stored history of a source's polls. */
export interface PollHistory {
  readonly state: SourceState;
  readonly stateReason: string | null;
  readonly intervalMs: number | null;
  readonly usualGapMs: number | null;
  readonly failures: number;
  readonly failingSince: EpochMicroseconds | null;
  readonly goneCount: number;
  readonly goneSince: EpochMicroseconds | null;
  readonly missingSince: EpochMicroseconds | null;
  readonly movedTo: string | null;
  readonly movedCount: number;
  readonly movedSince: EpochMicroseconds | null;
}

/** How a poll ended. */
export type PollResult =
  | {
      readonly kind: 'read' | 'unchanged';
      readonly statedMs: number;
      readonly hasNews: boolean;
      /** Null: unchanged. */
      readonly usualGapMs: number | null;
      readonly permanentUrl: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly why: 'gone' | 'missing' | 'rate limited' | 'other';
      readonly detail: string;
      readonly retryAfterMs: number | null;
    }
  /** The address redirects to a domain that another process has leased. */
  | { readonly kind: 'deferred' };

export interface SettledPoll {
  readonly history: PollHistory;
  readonly dueAt: EpochMicroseconds;
  readonly outcome: string;
  /** The new address, after permanent redirects to it for long enough. */
  readonly adoptUrl: string | null;
}

const goneCountMin = 3;
const goneForMs = 3 * dayMs;
/** The third 410 then comes after three days. */
const goneIntervalMs = goneForMs / 2;
const missingForMs = 14 * dayMs;
const movedCountMin = 10;
const movedForMs = 3 * dayMs;
const deferredMs = 15_000;
/** The wait after a first rate limit without Retry-After. */
const limitedMs = 15 * 60_000;

/** Decides from a poll when the source is due again, and whether it stays active. */
export function settlePoll(
  history: PollHistory,
  result: PollResult,
  {
    now,
    pace,
    random,
    pushes = { kind: 'none' },
  }: {
    readonly now: EpochMicroseconds;
    readonly pace: Pace;
    readonly random: () => number;
    /** From the pushes of its hub, if it has one. */
    readonly pushes?: PushVerdict;
  },
): SettledPoll {
  if (result.kind === 'deferred')
    return {
      history,
      dueAt: addMs(now, withJitter(deferredMs, random)),
      outcome: 'deferred',
      adoptUrl: null,
    };
  const settled =
    result.kind === 'failed'
      ? afterFailure(history, result, now, pace)
      : afterAnswer(history, result, { now, pace, pushes });
  return { ...settled, dueAt: addMs(now, withJitter(settled.waitMs, random)) };
}

type Settled = Omit<SettledPoll, 'dueAt'> & { readonly waitMs: number };

function afterAnswer(
  history: PollHistory,
  result: Extract<PollResult, { readonly kind: 'read' | 'unchanged' }>,
  {
    now,
    pace,
    pushes,
  }: { readonly now: EpochMicroseconds; readonly pace: Pace; readonly pushes: PushVerdict },
): Settled {
  const gapMs = result.usualGapMs ?? history.usualGapMs;
  const intervalMs = nextIntervalMs(
    {
      usualGapMs: gapMs,
      lastIntervalMs: history.intervalMs,
      hasNews: result.hasNews,
      statedMs: result.statedMs,
    },
    pace,
  );
  const moved = movedBy(history, result.permanentUrl, now);
  const isAdopted =
    moved.movedSince !== null &&
    moved.movedCount >= movedCountMin &&
    passedMs(moved.movedSince, now) >= movedForMs;
  return {
    history: {
      ...history,
      intervalMs,
      usualGapMs: gapMs,
      failures: 0,
      failingSince: null,
      goneCount: 0,
      goneSince: null,
      missingSince: null,
      ...(isAdopted ? { movedTo: null, movedCount: 0, movedSince: null } : moved),
    },
    waitMs: waitWithPushes(intervalMs, pushes, now, pace),
    outcome: result.kind === 'unchanged' ? 'nothing new' : 'read',
    adoptUrl: isAdopted ? moved.movedTo : null,
  };
}

function waitWithPushes(intervalMs: number, pushes: PushVerdict, now: EpochMicroseconds, pace: Pace): number {
  if (pushes.kind === 'ask soon') return Math.min(intervalMs, pushedPollSpacingMs(pace));
  if (pushes.kind === 'none') return intervalMs;
  return announcedIntervalMs(intervalMs, passedMs(now, pushes.until), pace);
}

function movedBy(
  history: PollHistory,
  permanentUrl: string | null,
  now: EpochMicroseconds,
): Pick<PollHistory, 'movedTo' | 'movedCount' | 'movedSince'> {
  if (permanentUrl === null) return { movedTo: null, movedCount: 0, movedSince: null };
  const isSame = history.movedTo === permanentUrl;
  return {
    movedTo: permanentUrl,
    movedCount: isSame ? history.movedCount + 1 : 1,
    movedSince: isSame ? (history.movedSince ?? now) : now,
  };
}

function afterFailure(
  history: PollHistory,
  { why, detail, retryAfterMs }: Extract<PollResult, { readonly kind: 'failed' }>,
  now: EpochMicroseconds,
  pace: Pace,
): Settled {
  const failures = history.failures + 1;
  const isGone = why === 'gone';
  const goneCount = isGone ? history.goneCount + 1 : 0;
  const goneSince = isGone ? (history.goneSince ?? now) : null;
  const missingSince = why === 'missing' ? (history.missingSince ?? now) : null;
  const next: PollHistory = {
    ...history,
    failures,
    failingSince: history.failingSince ?? now,
    goneCount,
    goneSince,
    missingSince,
    ...endedBy({ goneCount, goneSince, missingSince }, history, now),
  };
  const intervalMs = history.intervalMs ?? pace.intervalMinMs;
  const isForUnstatedTime = why === 'rate limited' && retryAfterMs === null;
  const base = isForUnstatedTime ? Math.max(limitedMs, intervalMs) : intervalMs;
  const waitMs = isGone
    ? goneIntervalMs
    : backoffMs(base, failures - (why === 'rate limited' ? 1 : 0), retryAfterMs);
  return { history: next, waitMs, outcome: detail, adoptUrl: null };
}

function endedBy(
  { goneCount, goneSince, missingSince }: Pick<PollHistory, 'goneCount' | 'goneSince' | 'missingSince'>,
  history: PollHistory,
  now: EpochMicroseconds,
): Pick<PollHistory, 'state' | 'stateReason'> {
  if (goneSince !== null && goneCount >= goneCountMin && passedMs(goneSince, now) >= goneForMs)
    return { state: 'stopped', stateReason: 'the publisher says that it is gone (410)' };
  if (missingSince !== null && passedMs(missingSince, now) >= missingForMs)
    return { state: 'suspended', stateReason: 'not found (404) for 14 days' };
  return { state: history.state, stateReason: history.stateReason };
}

function passedMs(since: EpochMicroseconds, now: EpochMicroseconds): number {
  return instantToMs(now) - instantToMs(since);
}
