import type { Micros } from '../instant.ts';

/** A feed in its publisher's system, before it is written in one of the formats. */
export interface FeedDocument {
  readonly title: string;
  readonly description: string;
  readonly home: string;
  readonly self: string;
  readonly language: string;
  readonly updated: Micros;
  readonly author: string;
  /** Minutes east of UTC in which dates are written. */
  readonly zoneMinutes: number;
  readonly markup: 'escaped' | 'cdata';
  readonly encoding: string;
  readonly ttlMinutes: number | null;
  readonly hub: string | null;
  /** How dates are written wrongly, if a fault requires it. */
  readonly dates: DateStyle;
  readonly entries: readonly FeedEntry[];
}

export type DateStyle = 'right' | 'without-zone' | 'unreadable';

export interface FeedEntry {
  readonly guid: string | null;
  readonly guidIsAddress: boolean;
  readonly link: string;
  readonly title: string;
  readonly summaryHtml: string;
  readonly contentHtml: string | null;
  readonly author: string | null;
  readonly published: Micros | null;
  readonly updated: Micros | null;
  readonly categories: readonly string[];
  /** The page where an entry of an aggregator is discussed. */
  readonly comments?: string;
  /** The outlet that an aggregator's entry comes from. */
  readonly source?: { readonly name: string; readonly home: string };
  readonly audio?: { readonly address: string; readonly bytes: number; readonly seconds: number };
  readonly video?: {
    readonly id: string;
    readonly channel: string;
    readonly thumbnail: string;
    readonly views: number;
  };
  readonly announceType?: 'new' | 'cross';
}
