import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { JournalSubject } from './journal.ts';

/** The present titles of items, entries, stories and sources by kind and id; a withdrawn item has none. */
export async function readSubjectTitles(
  database: Database,
  subjects: readonly JournalSubject[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (kind: JournalSubject['kind']): readonly string[] =>
    subjects.flatMap((subject) => (subject.kind === kind ? [subject.id] : []));
  const ids = (kind: JournalSubject['kind']) => sql`ANY (${[...new Set(idsOf(kind))]}::uuid[])`;
  if (subjects.length === 0) return new Map();
  const { rows } = await sql<{ readonly subject: string; readonly title: string }>`
    SELECT 'item ' || id AS subject, title FROM record.item WHERE id = ${ids('item')} AND withdrawn_at IS NULL
    UNION ALL
    SELECT 'entry ' || id, title FROM newsroom.entry WHERE id = ${ids('entry')} AND withdrawn_at IS NULL
    UNION ALL SELECT 'story ' || id, title FROM record.story WHERE id = ${ids('story')}
    UNION ALL SELECT 'source ' || id, name FROM newsroom.source WHERE id = ${ids('source')}`.execute(
    database,
  );
  return new Map(rows.map(({ subject, title }) => [subject, title]));
}
