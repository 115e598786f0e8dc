import type { Category, KindName, Organization, Pair, Person } from '../dispatch.ts';
import type { Random } from '../random.ts';
import type { Quantity } from './quantity.ts';

/** The participants of an event, before its kind decides what happens. */
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
  /** Details that are true only until the first follow-up: for first dispatches and stand-alone items. */
  readonly early?: readonly string[];
  /** Reactions of people. */
  readonly voices: readonly string[];
  /** Additional details for readers. */
  readonly background: readonly string[];
  /** The event as a noun phrase, for digests, roundups and later dispatches. */
  readonly brief: string;
  readonly followUps: readonly Telling[];
  /** The wording before the organization is named; kinds without it have no rumours. */
  readonly rumour?: Rumour;
}

interface Rumour {
  readonly tellings: readonly Telling[];
  /** Names the organization. */
  readonly confirmation: Telling;
}

/** Which sentences that are not of one kind alone suit it. */
export type Tone = 'announcement' | 'deal' | 'research' | 'trouble' | 'people' | 'essay';

export interface EventKind {
  readonly name: KindName;
  readonly category: Category;
  readonly tone: Tone;
  /** The name of its figure, so that later dispatches can dispute it. */
  readonly figureName: Pair;
  readonly figure: (random: Random, cast: Cast) => Quantity;
  /** The difference of a look-alike, besides its figure. */
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
