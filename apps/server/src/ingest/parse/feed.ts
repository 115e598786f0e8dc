import type { Sha256 } from '../../foundation/hash.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** A publisher's list of entries as it stands now, whatever form it came in. */
export interface ParsedFeed {
  readonly format: 'rss' | 'atom' | 'json feed' | 'page list' | 'json list';
  readonly encoding: string;
  readonly title: string;
  /** The page for readers. */
  readonly homepage: string | null;
  readonly id: string | null;
  readonly language: string | null;
  readonly published: StatedDate;
  readonly updated: StatedDate;
  readonly pace: StatedPace;
  readonly webSub: { readonly hubs: readonly string[]; readonly self: string | null };
  /** Where the feed says that it has moved. */
  readonly newAddress: string | null;
  readonly entries: readonly ParsedEntry[];
  /** What a bound or a rule left out, for the person who looks after the source. */
  readonly omitted: {
    /** The document ended at a bound on its size or depth. */
    readonly endedEarly: boolean;
    readonly entriesBeyondBound: number;
    readonly repeatedEntries: number;
  };
}

export interface ParsedEntry {
  /**
   * Strongest first. An entry that shares any of them with a stored one of the same source is that one; the first
   * is what a new one is stored under.
   */
  readonly keys: readonly [EntryKey, ...EntryKey[]];
  readonly guid: string | null;
  /** The article, past redirectors; null when the entry has no address. */
  readonly link: string | null;
  /** `link` is still a redirector's: a request tells where it leads. */
  readonly linkIsRedirector: boolean;
  /** What entries of other sources about the same page share; null without a link. */
  readonly addressKey: string | null;
  /** Plain text on one line; empty when there is none. */
  readonly title: string;
  /** Plain text, a line per paragraph. */
  readonly summary: string;
  readonly content: string;
  readonly published: StatedDate;
  readonly updated: StatedDate;
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly language: string | null;
  readonly image: string | null;
  readonly enclosures: readonly Enclosure[];
  /** Where readers discuss it. */
  readonly comments: string | null;
  /** Whom an aggregator names as the publisher. */
  readonly origin: { readonly name: string; readonly url: string | null } | null;
  /** Equal while title and text are; dates and counters are no part of it. */
  readonly fingerprint: Sha256;
}

export interface EntryKey {
  readonly from: 'guid' | 'guid and address' | 'address' | 'text';
  readonly value: Sha256;
}

export interface StatedDate {
  /** As the publisher wrote it. */
  readonly raw: string | null;
  /** Null when it is missing or cannot be believed. */
  readonly instant: EpochMicroseconds | null;
  readonly doubt: DateDoubt | null;
}

export type DateDoubt =
  | 'unreadable'
  /** Before the web, such as 1970-01-01 for "unknown". */
  | 'implausible'
  | 'in the future'
  /** All entries of the feed have it: the moment the feed was built. */
  | 'shared by all entries'
  /** Readable, but without a zone; one was assumed. */
  | 'zone assumed';

/** How often the publisher asks to be asked, at most. */
export interface StatedPace {
  readonly ttlSeconds: number | null;
  /** From `sy:updatePeriod` and `sy:updateFrequency`. */
  readonly updatePeriodSeconds: number | null;
  /** Hours of the day in UTC, and weekdays from 1 for Monday, in which nothing new comes. */
  readonly skipHours: readonly number[];
  readonly skipDays: readonly number[];
}

export interface Enclosure {
  readonly url: string;
  readonly type: string | null;
  readonly bytes: number | null;
}
