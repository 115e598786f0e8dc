import { sql } from 'kysely';

import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** Why something needs a person; `waiting` entries are published at once, unless a person holds them. */
export const queueKinds = [
  'instruction',
  'failed',
  'held',
  'first-import',
  'grouping',
  'contradiction',
  'source',
  'report',
  'waiting',
] as const;
export type QueueKind = (typeof queueKinds)[number];

export interface QueueEntry {
  readonly kind: QueueKind;
  /** Of an entry and, once published, of its item; of a story, a source or a report. */
  readonly id: string;
  /** Its place in the list of its kind. */
  readonly cursor: string;
  readonly isPublished: boolean;
  readonly title: string;
  /** Null for a story or a report of a reader. */
  readonly sourceName: string | null;
  /** Of the original, or the page that a reader reported; null without one. */
  readonly url: string | null;
  /** ISO 8601. */
  readonly at: string;
  /** Texts of publishers and readers, or why publication failed. */
  readonly evidence: readonly string[];
  /** Of a held entry with an embargo. ISO 8601. */
  readonly until: string | null;
  /** Of a doubtful grouping: the two stories, and how likely they are one event. */
  readonly grouping: {
    readonly joined: boolean;
    readonly storyId: Id<'story'> | null;
    readonly otherId: Id<'story'>;
    readonly otherTitle: string;
    readonly likelihood: number;
  } | null;
  /** Of a source: what is unusual, and numbers about its entries. */
  readonly alert: {
    readonly kind: SourceAlertKind | 'first-import';
    readonly entries: number | null;
    readonly usual: number | null;
    readonly held: number | null;
    readonly selected: number | null;
  } | null;
}

export type SourceAlertKind = 'silent' | 'failing' | 'suspended' | 'stopped' | 'busy';

export interface QueueQuery {
  readonly now: EpochMicroseconds;
  /** The cursor of the last entry of the page before. */
  readonly after?: string | undefined;
  /** Entries of one source. */
  readonly sourceId?: string | undefined;
  /** Groupings of items in one story. */
  readonly storyId?: string | undefined;
  readonly countMax: number;
}

export const isoOf = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A decision of an editor that the entry needs no change, unless it is undone. */
export const isDismissed = sql`
  seen.action = 'dismiss' AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS undo WHERE undo.undoes = seen.id)`;
