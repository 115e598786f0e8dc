export type Language = 'en' | 'zh';

/** One text in both languages: English, Chinese. */
export type Pair = readonly [en: string, zh: string];

export type Category = 'ai-models' | 'ai-products' | 'industry' | 'paper' | 'tip' | 'opinion';

export type Role =
  | 'first'
  | 'reprint'
  | 'follow-up'
  | 'contradiction'
  | 'correction'
  | 'confirmation'
  | 'companion'
  | 'roundup'
  | 'single';

export type KindName =
  | 'model-release'
  | 'benchmark'
  | 'funding'
  | 'acquisition'
  | 'lawsuit'
  | 'regulation'
  | 'outage'
  | 'security'
  | 'paper'
  | 'open-weights'
  | 'price-cut'
  | 'partnership'
  | 'departure'
  | 'datacentre'
  | 'feature'
  | 'tip'
  | 'opinion';

export interface Organization {
  readonly key: string;
  readonly name: Pair;
  readonly home: Language;
  /** Names of the model and product lines it sells. */
  readonly families: readonly string[];
}

export interface Person {
  readonly key: string;
  readonly name: Pair;
  readonly job: Pair;
  readonly organization: Organization;
}

/**
 * The form of an outlet's site and entries: an ordinary site; a video channel; the releases of a repository; a list of
 * preprints; a podcast; or one of three aggregators, which link to other outlets' articles: a discussion board,
 * headlines behind a redirector, and a collection of other sites' entries.
 */
export type OutletShape =
  | 'site'
  | 'video'
  | 'releases'
  | 'preprints'
  | 'podcast'
  | 'discussion'
  | 'headlines'
  | 'planet';

/** One source: a site, channel or list with a feed of its own. */
export interface Outlet {
  readonly key: string;
  /** Its position in `World.outlets`. */
  readonly index: number;
  readonly name: string;
  readonly language: Language;
  readonly shape: OutletShape;
  /** Outlets of one owner do not count as independent of each other. */
  readonly owner: string;
  /** The organization that publishes here about itself. */
  readonly firstPartyOf: Organization | null;
  readonly host: string;
  /** The registrable domain that `host` belongs to. */
  readonly domain: string;
  /** Address of its front page; ends with a slash; all addresses of only this outlet start with it. */
  readonly home: string;
  /** 0..1: how much an editor trusts it. */
  readonly weight: number;
  /** How much it writes, compared with the others. */
  readonly pace: number;
}

export interface Figure {
  readonly name: Pair;
  readonly value: number;
  readonly unit: string;
  /** As it is written in each language. */
  readonly text: Pair;
}

/** What the text of a dispatch states. */
export interface Facts {
  readonly kind: KindName | 'roundup';
  /** The subject of the dispatch, in English. */
  readonly subject: string;
  readonly product: string | null;
  readonly person: string | null;
  readonly figures: readonly Figure[];
}

export interface Dispatch {
  /** The same for the same seed and settings. */
  readonly key: string;
  readonly outlet: Outlet;
  readonly url: string;
  /** Of the original. When `originalTitle` is set, title and summary are in the other language. */
  readonly language: Language;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  /** A few paragraphs, generated on access. */
  readonly body: () => string;
  readonly category: Category;
  /** ISO 8601 with microseconds; null when the source does not say. */
  readonly publishedAt: string | null;
  /** When its publisher puts it online. */
  readonly appearsAt: string;
  readonly discoveredAt: string;
  /** When its publisher takes it down; null for nearly all. */
  readonly withdrawnAt: string | null;
  readonly score: number;
  readonly role: Role;
  readonly storyKey: string | null;
  readonly storylineKey: string | null;
  readonly groupKey: string;
  readonly facts: Facts;
  /** The dispatch that represents its reading group; exactly one in each. */
  readonly representative: boolean;
  /** Whether an editor would select it, and why in one sentence; only representatives are selected. */
  readonly selected: boolean;
  readonly reason: string | null;
  /** The earlier dispatch whose figure this one denies or corrects. */
  readonly contradicts?: string;
  /** A different story in nearly the same words. */
  readonly twinOf?: string;
  /** The story that this one turns out to be, once its name is known. */
  readonly mergesInto?: string;
  /** Stories that a roundup names. */
  readonly mentions?: readonly string[];
}

/** A dispatch as its publisher has it online at one moment, in the publisher's own language. */
export interface Article {
  readonly key: string;
  readonly outlet: Outlet;
  readonly address: string;
  readonly language: Language;
  readonly title: string;
  readonly summary: string;
  readonly paragraphs: readonly string[];
  readonly author: string;
  readonly category: Category;
  readonly appearsAt: string;
  /** What the publisher states; null where it does not say. */
  readonly publishedAt: string | null;
  /** When it was edited so far. */
  readonly editedAt: readonly string[];
  readonly withdrawn: boolean;
}
