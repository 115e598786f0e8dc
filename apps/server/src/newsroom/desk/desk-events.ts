import { setTimeout as delay } from 'node:timers/promises';

import { dayMs } from '../../foundation/clock.ts';
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
  nowMs = Date.now,
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
    for (let round = 0; followers.size > 0 && head !== null; round += 1) {
      const isLast = await pollOnce(head, round).catch((error: unknown) => {
        // Each page connects again, to this or another process.
        for (const follower of followers) follower.onFailed(error);
        return true;
      });
      if (isLast) await delay(pollEveryMs);
    }
    head = null;
  };
  const join = (after: EventPlace, follower: Follower): void => {
    const joined: Follower = {
      ...follower,
      onEvents: (events) => {
        const later = events.filter(({ place }) => comparePlaces(place, after) > 0);
        if (later.length > 0) follower.onEvents(later);
      },
    };
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
      const shown: Follower = {
        ...follower,
        onEvents: (events) => {
          const news = events.filter(({ place }) => !isShown(place.xid));
          if (news.length > 0) follower.onEvents(news);
        },
      };
      if (nowMs() - atMs > dayMs) return follower.onReset();
      let place = after;
      for (let missed = 0; ;) {
        const page = await readEvents(database, place, pageMax);
        if (signal.aborted) return;
        // The database was restored, and counts its transactions anew.
        if (page.horizon < after.xid) return follower.onReset();
        shown.onEvents(page.events);
        ({ place } = page);
        missed += page.events.length;
        if (missed > missedMax) return follower.onReset();
        // Nothing is awaited from here until the page has joined the loop.
        if (page.isLast && (head === null || comparePlaces(place, head) >= 0)) break;
      }
      join(place, shown);
    },
  };
}
