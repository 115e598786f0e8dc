import type { Sha256 } from '../../foundation/hash.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** A publisher's current list of entries, in any format. */
export interface ParsedFeed {
  readonly format: 'rss' | 'atom' | 'json feed' | 'page list' | 'json list';
  readonly encoding: string;
  readonly title: string;
  /** The homepage. */
  readonly homepage: string | null;
  readonly id: string | null;
  readonly language: string | null;
  readonly published: StatedDate;
  readonly updated: StatedDate;
  readonly pace: StatedPace;
  readonly webSub: { readonly hubs: readonly string[]; readonly self: string | null };
  /** The new address that the feed states. */
  readonly newAddress: string | null;
  readonly entries: readonly ParsedEntry[];
  /** What a bound or a rule left out, for the operator. */
  readonly omitted: {
    /** Parsing stopped at a bound on size or depth. */
    readonly endedEarly: boolean;
    readonly entriesBeyondBound: number;
    readonly repeatedEntries: number;
  };
}

export interface ParsedEntry {
  /**
   * Strongest first. An entry that shares any key with a stored entry of the same source is that entry.
   */
  readonly keys: readonly [EntryKey, ...EntryKey[]];
  readonly guid: string | null;
  /** The address of the article, behind redirectors; null: the entry has no address. */
  readonly link: string | null;
  /** `link` is a redirector whose target only a request can find. */
  readonly linkIsRedirector: boolean;
  /** Entries of other sources with the same page have the same key; null: no link. */
  readonly addressKey: string | null;
  /** Plain text on one line; may be empty. */
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
  /** The address of its discussion. */
  readonly comments: string | null;
  /** The publisher that an aggregator names. */
  readonly origin: { readonly name: string; readonly url: string | null } | null;
  /** Covers title and text, without dates and counters. */
  readonly fingerprint: Sha256;
}

export interface EntryKey {
  readonly from: 'guid' | 'guid and address' | 'address' | 'text';
  readonly value: Sha256;
}

export interface StatedDate {
  /** As the publisher wrote it. */
  readonly raw: string | null;
  /** Null: missing or implausible; see `doubt`. */
  readonly instant: EpochMicroseconds | null;
  readonly doubt: DateDoubt | null;
}

export type DateDoubt =
  | 'unreadable'
  /** Before the web, such as 1970-01-01 for "unknown". */
  | 'implausible'
  | 'in the future'
  /** All entries of the feed have it: the time at which the feed was built. */
  | 'shared by all entries'
  /** Readable, but without a zone; one was assumed. */
  | 'zone assumed';

/** The polling interval that the publisher states. */
export interface StatedPace {
  readonly ttlSeconds: number | null;
  /** From `sy:updatePeriod` and `sy:updateFrequency`. */
  readonly updatePeriodSeconds: number | null;
  /** Hours of the day in UTC, and weekdays from 1 for Monday, without new entries. */
  readonly skipHours: readonly number[];
  readonly skipDays: readonly number[];
}

export interface Enclosure {
  readonly url: string;
  readonly type: string | null;
  readonly bytes: number | null;
}
