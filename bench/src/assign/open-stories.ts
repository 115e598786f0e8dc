import { randomBytes } from 'node:crypto';

import type { Dispatch } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';
import { sql } from 'kysely';

import { withCopyConnection } from '../../../apps/server/src/foundation/database/copy-in.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { toTimestamptz } from '../../../apps/server/src/foundation/database/timestamptz.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { instantFromMs, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import type { ReadReport, Term } from '../../../apps/server/src/newsroom/stories/matching/index.ts';
import {
  aliasTable,
  allPostedTerms,
  entryTerms,
  indexTerms,
  ownAliases,
  readingSignature,
  storeReport,
} from '../../../apps/server/src/newsroom/stories/matching/index.ts';
import type { ItemToImport } from '../../../apps/server/src/record/index.ts';
import { importItems } from '../../../apps/server/src/record/index.ts';
import { itemOf, tellDispatch } from '../../../apps/simulation/src/told-dispatch.ts';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 10, 15, 8);
/** Before the week that the record shows, so that only the archive is filled; within the fortnight of stories. */
const startsAt = nowMs - 13 * dayMs;
const days = 4;
const batchSize = 5_000;

export interface DatedReport {
  readonly report: ReadReport;
  readonly at: EpochMicroseconds;
}

/** Every dispatch of a simulated world as a story of its own, in the order of discovery, a batch at a time. */
export class OpenStories {
  private readonly dispatches: Iterator<Dispatch>;
  private readonly aliases = aliasTable(ownAliases());
  private readonly counts = new Map<Term, number>();
  private readonly connection: DatabaseConnection;
  count = 0;

  constructor(connection: DatabaseConnection, storiesMax: number) {
    const itemsPerDay = Math.ceil((storiesMax + batchSize) / days);
    this.dispatches = createWorld({ seed: 7, startsAt, days, itemsPerDay }).dispatches()[Symbol.iterator]();
    this.connection = connection;
  }

  async fillTo(count: number): Promise<void> {
    while (this.count < count) {
      const items = this.nextItems(Math.min(batchSize, count - this.count));
      await this.openStories(items);
      await this.index(items);
      this.count += items.length;
    }
    await this.writeCounts();
  }

  /** The reports that would come next. */
  nextReports(count: number): readonly DatedReport[] {
    return this.nextItems(count).map((item) => this.read(item));
  }

  private nextItems(count: number): readonly ItemToImport[] {
    return Array.from({ length: count }, () => {
      const { value, done } = this.dispatches.next();
      if (done === true) throw new Error('the world has no more to tell');
      return itemOf(tellDispatch(value));
    });
  }

  private async openStories(items: readonly ItemToImport[]): Promise<void> {
    const { pool, database } = this.connection;
    const now = instantFromMs(nowMs);
    const clock = { now: () => now, nowMs: () => nowMs };
    const ids = createIdSource({ clock, randomBytes });
    const storyIds = items.map(() => ids.next<'story'>());
    await sql`
      INSERT INTO record.story (id, title, source_count, report_count)
      SELECT id, title, 0, 0 FROM unnest(${storyIds}::uuid[], ${items.map(({ title }) => title)}::text[])
        AS story (id, title)`.execute(database);
    const withStories = items.map((item, at) => {
      const storyId = storyIds[at];
      return storyId === undefined ? item : { ...item, storyId };
    });
    await importItems({ pool, clock, ids }, withStories);
  }

  private async index(items: readonly ItemToImport[]): Promise<void> {
    const reports = items.map((item) => ({ id: item.id, ...this.read(item) }));
    const reportsWith = (term: Term): number => (this.counts.get(term) ?? 0) + 1;
    const rows = reports.map(({ id, report, at }) => {
      const stored = JSON.stringify(storeReport(report, reportsWith));
      for (const term of indexTerms(report.terms).keys()) this.counts.set(term, reportsWith(term));
      return { id, at: toTimestamptz(at), posted: allPostedTerms(report), stored };
    });
    await withCopyConnection(this.connection.pool, async ({ copyInto, database }) => {
      await copyInto(
        { table: 'newsroom.story_posting', columns: ['term', 'reported_at', 'item_id'] },
        rows.flatMap(({ id, at, posted }) => posted.map((term) => [term, at, id] as const)),
      );
      await sql`
        INSERT INTO newsroom.story_report (item_id, reported_at, posted_terms, content)
        SELECT id, at, ARRAY(SELECT jsonb_array_elements_text(posted)), content
        FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[],
          ${rows.map(({ posted }) => JSON.stringify(posted))}::jsonb[], ${rows.map(({ stored }) => stored)}::json[])
          AS report (id, at, posted, content)`.execute(database);
    });
  }

  private async writeCounts(): Promise<void> {
    await withCopyConnection(this.connection.pool, async ({ copyInto, database }) => {
      await sql`DELETE FROM newsroom.story_term_count`.execute(database);
      await copyInto({ table: 'newsroom.story_term_count', columns: ['term', 'reports'] }, this.counts);
      await sql`UPDATE newsroom.story_corpus SET reports = ${this.count}`.execute(database);
    });
  }

  private read({ title, originalTitle, summary, originalUrl, discoveredAt }: ItemToImport): DatedReport {
    const entry = { title, originalTitle, summary, url: originalUrl, at: instantToMs(discoveredAt) };
    return {
      report: { terms: entryTerms(entry, this.aliases), signature: readingSignature(entry) },
      at: discoveredAt,
    };
  }
}
