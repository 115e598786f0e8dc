import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('an entry that was found by a clock ahead is published at the time of the record', async () => {
  const clock = createTestClock('2026-11-15T08:10:00.000Z');
  const title = 'Ostrava Labs releases Peregrine 4 for 120 million dollars';
  const published = 'Sun, 15 Nov 2026 08:09:00 GMT';
  const { fetcher } = await startPublisher((_, response) => {
    response.end(
      `<rss version="2.0"><channel><title>Labs</title><item><guid>1</guid><link>http://labs.example/1</link><title>${title}</title><pubDate>${published}</pubDate><description>Ostrava Labs released Peregrine 4 on Monday. The model cost 120 million dollars.</description></item></channel></rss>`,
    );
  });
  /** Embargoes are compared with the first reading, entries are selected with the second; then the clock is corrected. */
  let readingsBefore = Infinity;
  const corrected = {
    ...clock,
    now: () => {
      const now = clock.now();
      readingsBefore -= 1;
      if (readingsBefore === 0) clock.set('2026-11-15T08:00:00.000Z');
      return now;
    },
  };
  const newsroom = createTestNewsroom(database, corrected, fetcher);
  const source = await newsroom.add('http://labs.example/feed', { tier: 1, firstParty: true });
  await newsroom.poll(source);
  readingsBefore = 2;
  await newsroom.publish();
  const items = database.database
    .selectFrom('record.item')
    .select(['title', 'published_at', 'discovered_at']);
  const time = '2026-11-15 08:00:00+00';
  expect(await items.execute()).toEqual([{ title, published_at: time, discovered_at: time }]);
});
