import type { Random } from '../random.ts';
import type { Category, KindName, Organization, Pair, Person } from '../report.ts';
import type { Unit } from './quantity.ts';
import type { Slots } from './template.ts';

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
  /** Details that hold only until something follows: for first reports and stand-alone items. */
  readonly early?: readonly string[];
  /** The event as a noun phrase, for digests, roundups and later reports. */
  readonly brief: string;
  readonly followUps: readonly Telling[];
}

/** Which voices and which background suit a kind of event. */
export type Tone = 'announcement' | 'deal' | 'research' | 'trouble' | 'people' | 'essay';

export interface EventKind {
  readonly name: KindName;
  readonly category: Category;
  readonly tone: Tone;
  /** What its figure is called, so that later reports can dispute it. */
  readonly figureName: Pair;
  readonly figure: readonly [unit: Unit, low: number, high: number];
  /** What tells a look-alike apart, besides its figure. */
  readonly twinBy: 'organization' | 'rival' | 'product' | 'task';
  /** Whether the organization itself may announce it. */
  readonly announced: boolean;
  /** Kinds that may follow in the same storyline. */
  readonly leadsTo: readonly KindName[];
  readonly slots: (random: Random, cast: Cast) => Slots;
  readonly en: Copy;
  readonly zh: Copy;
}
