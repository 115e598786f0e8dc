import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { DB } from '../foundation/database/generated/database-types.ts';
import { preparedAs } from '../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { editions } from '../record/index.ts';

/** A decision of the rules. Those about stories are in `newsroom.story_decision`. */
export interface RuleEntry {
  readonly action: 'select' | 'unselect' | 'withdraw' | 'hold' | 'fall-back';
  readonly subject: {
    readonly kind: 'item' | 'entry' | editions.EditionKind;
    /** The id of an item, the period of an edition. */
    readonly id: string;
  };
  readonly rule: 'selection' | 'representative' | 'withdrawn-by-publisher' | 'source' | 'draft';
  /** Numbers and ids; no words. */
  readonly features: Readonly<Record<string, number | string | null>>;
}

/** Entries of the journal, in this order; one statement. */
export async function recordRuleEntries(
  transaction: Transaction<DB>,
  at: EpochMicroseconds,
  entries: readonly RuleEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await sql`${preparedAs('record-rule-entries')}
    INSERT INTO newsroom.journal_entry (at, action, subject_kind, subject, decided_by, rule, detail)
    SELECT ${toTimestamptz(at)}::timestamptz, action, subject_kind, subject, 'rule', rule, detail::jsonb
    FROM unnest(
      ${entries.map(({ action }) => action)}::text[],
      ${entries.map(({ subject }) => subject.kind)}::text[],
      ${entries.map(({ subject }) => subject.id)}::text[],
      ${entries.map(({ rule }) => rule)}::text[],
      ${entries.map(({ features }) => JSON.stringify(features))}::text[])
      WITH ORDINALITY AS entry (action, subject_kind, subject, rule, detail, place)
    ORDER BY place`.execute(transaction);
}
