export type Language = 'en' | 'zh';

/** One text in both languages: English, Chinese. */
export type Pair = readonly [en: string, zh: string];

export type Category = 'ai-models' | 'ai-products' | 'industry' | 'paper' | 'tip' | 'opinion';

export type Role = 'first' | 'reprint' | 'follow-up' | 'contradiction' | 'correction' | 'roundup' | 'single';

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

export interface Outlet {
  readonly key: string;
  readonly name: string;
  readonly language: Language;
  /** Outlets of one owner do not count as independent of each other. */
  readonly owner: string;
  /** The organization that speaks here about itself. */
  readonly firstPartyOf: Organization | null;
  readonly host: string;
  /** 0..1: how much an editor trusts it. */
  readonly weight: number;
}

export interface Figure {
  readonly name: Pair;
  readonly value: number;
  readonly unit: string;
}

/** What the text of a report states. */
export interface Facts {
  readonly kind: KindName | 'roundup';
  /** Who or what the report is about, in English. */
  readonly subject: string;
  readonly product: string | null;
  readonly person: string | null;
  readonly figures: readonly Figure[];
}

export interface Report {
  /** The same for the same seed and settings. */
  readonly key: string;
  readonly outlet: Outlet;
  readonly url: string;
  /** Of the original. When `originalTitle` is set, title and summary are in the other language. */
  readonly language: Language;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  /** A few paragraphs, made when asked for. */
  readonly body: () => string;
  readonly category: Category;
  /** ISO 8601 with microseconds; null when the source does not say. */
  readonly publishedAt: string | null;
  readonly discoveredAt: string;
  readonly score: number;
  readonly role: Role;
  readonly storyKey: string | null;
  readonly storylineKey: string | null;
  readonly groupKey: string;
  readonly facts: Facts;
  /** The one report that stands for its reading group; exactly one in each. */
  readonly representative: boolean;
  /** Whether an editor would select it, and why in one sentence; only representatives are selected. */
  readonly selected: boolean;
  readonly reason: string | null;
  /** The earlier report whose figure this one denies or corrects. */
  readonly contradicts?: string;
  /** A different story told in nearly the same words. */
  readonly twinOf?: string;
  /** Stories that a roundup names. */
  readonly mentions?: readonly string[];
}
