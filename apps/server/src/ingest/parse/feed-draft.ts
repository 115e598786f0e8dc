import type { Enclosure, StatedPace } from './feed.ts';

/** Text of a document, with its encoding. */
export interface RichText {
  readonly text: string;
  /** `unknown`: RSS titles, which are text or HTML. */
  readonly form: 'plain' | 'html' | 'unknown';
}

/** The result of a format's reader, before the rules for all formats. */
export interface FeedDraft {
  readonly title: RichText | null;
  readonly homepage: string | null;
  readonly id: string | null;
  readonly language: string | null;
  readonly published: string | null;
  readonly updated: string | null;
  readonly pace: StatedPace;
  readonly hubs: readonly string[];
  readonly self: string | null;
  readonly newAddress: string | null;
  readonly entries: readonly EntryDraft[];
}

export interface EntryDraft {
  readonly guid: string | null;
  readonly link: string | null;
  readonly title: RichText | null;
  readonly summary: RichText | null;
  readonly content: RichText | null;
  readonly published: string | null;
  readonly updated: string | null;
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly language: string | null;
  readonly image: string | null;
  readonly enclosures: readonly Enclosure[];
  readonly comments: string | null;
  readonly origin: { readonly name: string; readonly url: string | null } | null;
}

export const noPace: StatedPace = {
  ttlSeconds: null,
  updatePeriodSeconds: null,
  skipHours: [],
  skipDays: [],
};

export const emptyFeed: FeedDraft = {
  title: null,
  homepage: null,
  id: null,
  language: null,
  published: null,
  updated: null,
  pace: noPace,
  hubs: [],
  self: null,
  newAddress: null,
  entries: [],
};

export const emptyEntry: EntryDraft = {
  guid: null,
  link: null,
  title: null,
  summary: null,
  content: null,
  published: null,
  updated: null,
  authors: [],
  categories: [],
  language: null,
  image: null,
  enclosures: [],
  comments: null,
  origin: null,
};
