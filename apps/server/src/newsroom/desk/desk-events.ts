import { setTimeout as delay } from 'node:timers/promises';

import { dayMs, systemClock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { readEvents } from './desk-event-store.ts';
import type { DeskEvent, EventPlace, EventStart } from './desk-event.ts';
import { comparePlaces } from './desk-event.ts';
import type { Editing } from './presence-store.ts';
import { readEditing } from './presence-store.ts';

/** An open page. */
export interface Follower {
  readonly signal: AbortSignal;
  readonly onEvents: (events: readonly DeskEvent[]) => void;
  /** The page is too old to continue: it is loaded again. */
  readonly onReset: () => void;
  /** Everybody who edits something now. */
  readonly onEditing: (editing: readonly Editing[]) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Passes the events of the newsroom to the pages that are open in this process. */
export interface DeskEvents {
  /** Until the signal is aborted: each event after the start once, in the order of all events. */
  readonly follow: (start: EventStart, follower: Follower) => Promise<void>;
  /** For the id of an event that is sent now. */
  readonly nowMs: () => number;
}

interface DeskEventsOptions {
  readonly database: Database;
  readonly pollEveryMs?: number;
  readonly nowMs?: () => number;
}

/** More than this many events are not sent to a page that was away. */
const missedMax = 2_000;
const pageMax = 500;
const editingEveryPolls = 4;

/**
 * The database is polled only while a page is open, by one loop for all pages of the process. A page that continues
 * from an earlier place reads on its own until it has reached the place of the loop.
 */
export function createDeskEvents({
  database,
  pollEveryMs = 250,
  nowMs = systemClock.nowMs,
}: DeskEventsOptions): DeskEvents {
  const followers = new Set<Follower>();
  /** Of the loop; null while it does not run. */
  let head: EventPlace | null = null;

  const pollOnce = async (from: EventPlace, round: number): Promise<boolean> => {
    const { events, place, isLast } = await readEvents(database, from, pageMax);
    head = place;
    if (events.length > 0) for (const follower of followers) follower.onEvents(events);
    if (round % editingEveryPolls === 0) {
      const editing = await readEditing(database);
      for (const follower of followers) follower.onEditing(editing);
    }
    return isLast;
  };
  const poll = async (): Promise<void> => {
    for (let round = 0; followers.size > 0; round += 1) {
      const from = head;
      if (from === null) break;
      const isLast = await pollOnce(from, round).catch((error: unknown) => {
        // Each page connects again, to this or another process.
        for (const follower of followers) follower.onFailed(error);
        return true;
      });
      if (isLast) await delay(pollEveryMs);
    }
    head = null;
  };
  const join = (after: EventPlace, follower: Follower): void => {
    const joined = onlyOf(follower, (place) => comparePlaces(place, after) > 0);
    followers.add(joined);
    follower.signal.addEventListener('abort', () => followers.delete(joined), { once: true });
    if (head !== null) return;
    head = after;
    void poll();
  };

  return {
    nowMs,
    follow: async ({ after, atMs, isShown }, follower) => {
      const { signal } = follower;
      const shown = onlyOf(follower, ({ xid }) => !isShown(xid));
      if (nowMs() - atMs > dayMs) return follower.onReset();
      const isJoined = (place: EventPlace): boolean => head === null || comparePlaces(place, head) >= 0;
      for (let from = after; ;) {
        const place = await catchUp(database, from, shown, isJoined);
        if (place === null || signal.aborted) return undefined;
        if (place === 'reset') return follower.onReset();
        // Nothing is awaited between this comparison and the joining.
        if (isJoined(place)) return join(place, shown);
        from = place;
      }
    },
  };
}

/** The same page, with those events alone. */
function onlyOf(follower: Follower, isWanted: (place: EventPlace) => boolean): Follower {
  return {
    ...follower,
    onEvents: (events) => {
      const wanted = events.filter(({ place }) => isWanted(place));
      if (wanted.length > 0) follower.onEvents(wanted);
    },
  };
}

/** Null if the page was closed meanwhile. */
async function catchUp(
  database: Database,
  after: EventPlace,
  { signal, onEvents }: Follower,
  isJoined: (place: EventPlace) => boolean,
): Promise<EventPlace | 'reset' | null> {
  let place = after;
  for (let missed = 0; missed <= missedMax;) {
    const page = await readEvents(database, place, pageMax);
    if (signal.aborted) return null;
    // The database was restored, and counts its transactions anew.
    if (page.horizon < after.xid) return 'reset';
    onEvents(page.events);
    ({ place } = page);
    missed += page.events.length;
    if (page.isLast && isJoined(place)) return place;
  }
  return 'reset';
}
