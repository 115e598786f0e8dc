import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { ReportKind } from '../addresses.ts';

export interface EditionEntryRow {
  readonly period: string;
  readonly period_start: string;
  readonly period_end: string;
  readonly generated_at: string;
  readonly headline: string;
  readonly overview: string;
}

export interface EditionRow extends EditionEntryRow {
  readonly revision: number;
  readonly window_start: string;
  readonly window_end: string;
  readonly sections: readonly { readonly key: string; readonly label: string }[];
  readonly citations: readonly CitationRow[];
  readonly corrections: readonly { readonly at: string; readonly note: string }[];
}

/** A cited item as it stands now. */
export interface CitationRow {
  /** Null for a flash. */
  readonly section: string | null;
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source_name: string;
  readonly original_url: string;
  readonly published_at: string | null;
  readonly story_id: string | null;
}

export async function readEditionEntries(
  database: Database,
  kind: ReportKind,
  entriesMax: number,
): Promise<readonly EditionEntryRow[]> {
  return database
    .selectFrom('record.edition as edition')
    .innerJoin('record.edition_revision as revision', (join) =>
      join
        .onRef('revision.kind', '=', 'edition.kind')
        .onRef('revision.period', '=', 'edition.period')
        .onRef('revision.revision', '=', 'edition.revision'),
    )
    .select(['edition.period', 'edition.period_start', 'edition.period_end'])
    .select(['revision.generated_at', 'revision.headline', 'revision.overview'])
    .where('edition.kind', '=', kind)
    .orderBy('edition.period_start', 'desc')
    .limit(entriesMax)
    .execute();
}

/** The edition of one period, or the newest there is. One statement, so that words and citations are of one revision. */
export async function readEdition(
  database: Database,
  kind: ReportKind,
  period: string,
): Promise<EditionRow | null> {
  const chosen = period === 'latest' ? sql`true` : sql`period = ${period}`;
  const { rows } = await sql<EditionRow>`
    SELECT e.period, e.period_start, e.period_end, e.window_start, e.window_end, e.revision,
      r.generated_at, r.headline, r.overview, r.sections,
      coalesce((
        SELECT jsonb_agg(to_jsonb(citation) - 'position') FROM (
          SELECT c.section, c.position, i.id, i.title, i.summary, s.name AS source_name, i.original_url,
            i.published_at::text, i.story_id
          FROM record.edition_citation c
          JOIN record.item i ON i.id = c.item_id AND i.withdrawn_at IS NULL
          JOIN record.source s ON s.id = i.source_id
          WHERE c.kind = e.kind AND c.period = e.period AND c.revision = e.revision
          ORDER BY c.position, i.id
        ) AS citation
      ), '[]') AS citations,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('at', k.at::text, 'note', k.note) ORDER BY k.at, k.id)
        FROM record.edition_correction k WHERE k.kind = e.kind AND k.period = e.period
      ), '[]') AS corrections
    FROM (
      SELECT * FROM record.edition WHERE kind = ${kind} AND ${chosen} ORDER BY period_start DESC LIMIT 1
    ) AS e
    JOIN record.edition_revision r USING (kind, period, revision)`.execute(database);
  return rows[0] ?? null;
}
