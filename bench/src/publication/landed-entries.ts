import { randomBytes } from 'node:crypto';

import type { Dispatch } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';
import { sql } from 'kysely';

import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { simulatedId } from '../../../apps/simulation/src/simulated-id.ts';

/** Entries as a poll leaves them, of a simulated world with articles in full, one after the other. */
export class LandedEntries {
  readonly #dispatches: Iterator<Dispatch>;
  readonly #database: Database;
  readonly #sources = new Set<string>();

  constructor(database: Database) {
    const startsAt = Date.now() - 2 * dayMs;
    const world = createWorld({ seed: 26, startsAt, days: 2, itemsPerDay: 20_000 });
    this.#dispatches = world.dispatches()[Symbol.iterator]();
    this.#database = database;
  }

  async land(count: number): Promise<void> {
    const clock = { now: () => BigInt(Date.now()) * 1_000n, nowMs: () => Date.now() } as never;
    const ids = createIdSource({ clock, randomBytes });
    const dispatches = Array.from({ length: count }, () => this.#dispatches.next().value as Dispatch);
    await this.#addSources(dispatches);
    await sql`
      INSERT INTO newsroom.entry (id, source_id, url, title, text, language, discovered_at, first_import)
      SELECT id, source_id, url, title, text, language, now(), false FROM unnest(
        ${dispatches.map(() => ids.next())}::uuid[],
        ${dispatches.map(({ outlet }) => simulatedId('source', outlet.key, 0))}::uuid[],
        ${dispatches.map(({ url }) => url)}::text[],
        ${dispatches.map(({ title }) => title)}::text[],
        ${dispatches.map((dispatch) => dispatch.body())}::text[],
        ${dispatches.map(({ language }) => language)}::text[]) AS entry (id, source_id, url, title, text, language)`.execute(
      this.#database,
    );
  }

  async #addSources(dispatches: readonly Dispatch[]): Promise<void> {
    const missing = new Map(
      dispatches
        .filter(({ outlet }) => !this.#sources.has(outlet.key))
        .map(({ outlet }) => [outlet.key, outlet]),
    );
    for (const outlet of missing.values()) {
      this.#sources.add(outlet.key);
      const domain = `${outlet.key}.example`;
      await sql`
        INSERT INTO newsroom.domain (name, due_at) VALUES (${domain}, now()) ON CONFLICT DO NOTHING`.execute(
        this.#database,
      );
      await sql`
        INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form, domain,
          created_at, state, due_at)
        VALUES (${simulatedId('source', outlet.key, 0)}, ${outlet.name}, ${outlet.owner},
          ${outlet.firstPartyOf !== null}, 2, 'editorial', ${`https://${domain}/feed`}, '{"kind": "feed"}', ${domain},
          now(), 'active', now())
        ON CONFLICT DO NOTHING`.execute(this.#database);
    }
  }
}
