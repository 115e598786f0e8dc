import type { Category, KindName, Organization, Pair, Person } from '../dispatch.ts';
import type { Random } from '../random.ts';
import type { Quantity } from './quantity.ts';

/** Who is in an event, before the kind of event says what happens. */
export interface Cast {
  readonly organization: Organization;
  readonly rival: Organization;
  readonly product: string;
  readonly person: Person;
}

export interface Telling {
  readonly title: string;
  readonly lead: string;
}

/** The wording of one kind of event in one language; all strings are templates. */
export interface Copy {
  readonly titles: readonly string[];
  readonly leads: readonly string[];
  readonly details: readonly string[];
  /** Details that hold only until something follows: for first dispatches and stand-alone items. */
  readonly early?: readonly string[];
  /** What people say about it. */
  readonly voices: readonly string[];
  /** What a reader may want to know besides. */
  readonly background: readonly string[];
  /** The event as a noun phrase, for digests, roundups and later dispatches. */
  readonly brief: string;
  readonly followUps: readonly Telling[];
  /** How it is told before anyone says who is behind it; kinds without it leave no rumours. */
  readonly rumour?: Rumour;
}

interface Rumour {
  readonly tellings: readonly Telling[];
  /** Says whom it was about. */
  readonly confirmation: Telling;
}

/** Which sentences that are not of one kind alone suit it. */
export type Tone = 'announcement' | 'deal' | 'research' | 'trouble' | 'people' | 'essay';

export interface EventKind {
  readonly name: KindName;
  readonly category: Category;
  readonly tone: Tone;
  /** What its figure is called, so that later dispatches can dispute it. */
  readonly figureName: Pair;
  readonly figure: (random: Random, cast: Cast) => Quantity;
  /** What tells a look-alike apart, besides its figure. */
  readonly twinBy: 'organization' | 'rival' | 'product' | 'task';
  /** Whether the organization itself may announce it. */
  readonly announced: boolean;
  /** Kinds that may follow in the same storyline. */
  readonly leadsTo: readonly KindName[];
  /** What else its sentences need, in proportion to the figure. */
  readonly slots: (random: Random, cast: Cast, figure: Quantity) => Readonly<Record<string, Pair | Quantity>>;
  readonly en: Copy;
  readonly zh: Copy;
}
