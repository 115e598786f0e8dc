import { randomBytes } from 'node:crypto';

import type { Dispatch } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';
import { sql } from 'kysely';

import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import { withCopyConnection } from '../../../apps/server/src/foundation/database/copy-in.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { toTimestamptz } from '../../../apps/server/src/foundation/database/timestamptz.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { instantFromMs, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import { aliasTable, builtInAliases } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import type { Term } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import { indexTerms } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import { readEntry } from '../../../apps/server/src/newsroom/stories/matching/read-entry.ts';
import type { ReadItem } from '../../../apps/server/src/newsroom/stories/matching/reading-groups.ts';
import { allPostedTerms, storeItem } from '../../../apps/server/src/newsroom/stories/matching/stored-item.ts';
import { bulkImport } from '../../../apps/server/src/record/wiring.ts';
import { itemOf, dispatchedItem } from '../../../apps/simulation/src/dispatched-item.ts';

const nowMs = Date.UTC(2026, 10, 15, 8);
/** Before the week that the record shows, so that only the archive is filled; within the fortnight of stories. */
const startsAt = nowMs - 13 * dayMs;
const days = 4;
const batchSize = 5_000;
/** So many are inserted one by one; the rest are copies of these, made by the database. */
const insertedMax = 10_000;
/** A term of more stored items than this is in the copies as well; rarer terms are unique to each copy. */
const rareMax = 20;

export interface DatedItem {
  readonly read: ReadItem;
  readonly at: EpochMicroseconds;
}

/**
 * Every dispatch of a simulated world as a story of its own, in the order of discovery, a batch at a time. Copies add
 * what a larger newsroom has more of: stories that share the common terms, and unique rare terms.
 */
export class OpenStories {
  private readonly dispatches: Iterator<Dispatch>;
  private readonly aliases = aliasTable(builtInAliases());
  private readonly counts = new Map<Term, number>();
  private readonly connection: DatabaseConnection;
  count = 0;

  constructor(connection: DatabaseConnection, storiesMax: number) {
    const itemsPerDay = Math.ceil((Math.min(storiesMax, insertedMax) + batchSize) / days);
    this.dispatches = createWorld({ seed: 7, startsAt, days, itemsPerDay }).dispatches()[Symbol.iterator]();
    this.connection = connection;
  }

  /** Beyond the inserted stories only to a multiple of them, and only once. */
  async fillTo(count: number): Promise<void> {
    const inserted = Math.min(count, insertedMax);
    while (this.count < inserted) {
      const items = this.nextItems(Math.min(batchSize, inserted - this.count));
      await this.openStories(items);
      await this.index(items);
      this.count += items.length;
    }
    await this.writeCounts();
    if (count > inserted) await this.copyInserted(count / inserted - 1);
  }

  private async copyInserted(copies: number): Promise<void> {
    const copied = (id: string) => sql`md5(${sql.ref(id)}::text || copy)::uuid`;
    const each = sql`CROSS JOIN generate_series(1, ${copies}::integer) AS copy`;
    const statements = [
      sql`INSERT INTO record.story (id, title, source_count, report_count)
        SELECT ${copied('story.id')}, title, 0, 0 FROM record.story ${each}`,
      sql`INSERT INTO record.reading_group (id, first_appeared_at)
        SELECT ${copied('inserted.id')}, first_appeared_at FROM record.reading_group AS inserted ${each}`,
      sql`INSERT INTO record.item
        SELECT made.* FROM record.item AS inserted ${each}
        CROSS JOIN LATERAL jsonb_populate_record(inserted, jsonb_build_object('id', ${copied('inserted.id')},
          'group_id', ${copied('inserted.group_id')}, 'story_id', ${copied('inserted.story_id')})) AS made`,
      sql`INSERT INTO newsroom.story_report (item_id, reported_at, posted_terms, content)
        SELECT ${copied('inserted.item_id')}, reported_at, '{}', content FROM newsroom.story_report AS inserted ${each}`,
      sql`INSERT INTO newsroom.story_posting (term, reported_at, item_id)
        SELECT CASE WHEN common.term IS NULL THEN inserted.term || ' ' || copy ELSE inserted.term END AS term,
          inserted.reported_at, ${copied('inserted.item_id')}
        FROM newsroom.story_posting AS inserted
        LEFT JOIN newsroom.story_term_count AS common ON common.term = inserted.term AND common.reports > ${rareMax}
        ${each} ORDER BY 1, 2`,
      sql`INSERT INTO newsroom.story_term_count (term, reports)
        SELECT term || ' ' || copy, reports FROM newsroom.story_term_count ${each} WHERE reports <= ${rareMax}`,
      sql`UPDATE newsroom.story_term_count SET reports = reports * (${copies}::integer + 1)
        WHERE reports > ${rareMax}`,
    ];
    await withCopyConnection(this.connection.pool, async ({ database }) => {
      for (const statement of statements) await statement.execute(database);
      this.count *= copies + 1;
      await sql`UPDATE newsroom.story_corpus SET reports = ${this.count}`.execute(database);
    });
  }

  /** Older items that no story of the fortnight contains: the part that grows with the years. */
  async addArchive(count: number): Promise<void> {
    const copies = Math.ceil(count / Math.max(1, this.count));
    if (count <= 0) return;
    await withCopyConnection(this.connection.pool, async ({ database }) => {
      await sql`
        INSERT INTO record.reading_group (id, first_appeared_at)
        SELECT md5(inserted.id::text || 'old' || copy)::uuid, first_appeared_at - interval '60 days'
        FROM record.reading_group AS inserted CROSS JOIN generate_series(1, ${copies}::integer) AS copy
        LIMIT ${count}`.execute(database);
      await sql`
        INSERT INTO record.item
        SELECT made.* FROM (
          SELECT inserted, copy FROM record.item AS inserted CROSS JOIN generate_series(1, ${copies}::integer) AS copy
          LIMIT ${count}) AS old
        CROSS JOIN LATERAL jsonb_populate_record(inserted, jsonb_build_object(
          'id', md5((inserted).id::text || 'old' || copy)::uuid,
          'group_id', (inserted).group_id, 'story_id', NULL, 'selected', false, 'reason', NULL, 'digest', NULL,
          'discovered_at', (inserted).discovered_at - interval '60 days',
          'published_at', (inserted).published_at - interval '60 days',
          'timeline_at', (inserted).timeline_at - interval '60 days')) AS made`.execute(database);
    });
  }

  private nextItems(count: number): readonly bulkImport.ItemToImport[] {
    return Array.from({ length: count }, () => {
      const { value, done } = this.dispatches.next();
      if (done === true) throw new Error('the world has no more dispatches');
      return itemOf(dispatchedItem(value));
    });
  }

  private async openStories(items: readonly bulkImport.ItemToImport[]): Promise<void> {
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
    await bulkImport.importItems({ pool, clock, ids }, withStories);
  }

  private async index(items: readonly bulkImport.ItemToImport[]): Promise<void> {
    const all = items.map((item) => ({ id: item.id, ...this.read(item) }));
    const itemsWith = (term: Term): number => (this.counts.get(term) ?? 0) + 1;
    const rows = all.map(({ id, read, at }) => {
      const stored = JSON.stringify(storeItem(read, itemsWith));
      for (const term of indexTerms(read.terms).keys()) this.counts.set(term, itemsWith(term));
      return { id, at: toTimestamptz(at), posted: allPostedTerms(read), stored };
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

  private read({
    title,
    originalTitle,
    summary,
    originalUrl,
    discoveredAt,
  }: bulkImport.ItemToImport): DatedItem {
    const entry = { title, originalTitle, summary, url: originalUrl, at: instantToMs(discoveredAt) };
    return { read: readEntry(entry, this.aliases), at: discoveredAt };
  }
}
