import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { valueOf } from '../../../test/factories/record-factory.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { systemClock } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Source } from '../../ingest/sources/source.ts';
import { createEditorDesk } from '../desk/editor-desk.ts';
import { listJournal } from '../desk/journal-store.ts';
import { listEntries } from '../desk/queue-store.ts';
import { readItemOverride } from './item-override-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A source whose one entry waits for an editor. */
async function startHeldSource(host: string, city: string, holds: Source['holds']) {
  const article = {
    title: `Ostrava Labs releases Peregrine ${city} for 120 million dollars`,
    text: `Ostrava Labs released Peregrine ${city} on Monday. The model cost 120 million dollars and was trained on 4,000 chips in ${city}.`,
  };
  const { fetcher } = await startPublisher((request, response) => {
    response.end(
      `<rss version="2.0"><channel><title>${host}</title><item><guid>1</guid><link>http://${request.headers.host}/1</link><title>${article.title}</title><description>${article.text}</description></item></channel></rss>`,
    );
  });
  const newsroom = createTestNewsroom(database, systemClock, fetcher);
  const source = await newsroom.add(`http://${host}/feed`, { name: host, tier: 1, firstParty: true, holds });
  await newsroom.poll(source);
  await newsroom.publish();
  const entry = (await newsroom.entries()).find(({ source_id }) => source_id === source.id);
  const id = entry?.id as Id<'item'>;
  const { database: store, clock, publisher } = newsroom.deskDeps;
  return {
    id,
    article,
    desk: createEditorDesk({ database: store, clock, publisher, language: 'en' }),
    publish: newsroom.publish,
    editByPublisher: async (): Promise<void> => {
      await newsroom.poll(source);
      await newsroom.publish();
    },
    read: () =>
      database.database
        .selectFrom('record.item')
        .select(['title', 'summary', 'category'])
        .where('id', '=', id)
        .executeTakeFirst(),
    held: async () =>
      (await listEntries(database.database, 'held', { now: clock.now(), countMax: 50 })).map((one) => one.id),
  };
}

const words = { title: null, summary: null, category: null, unverified: null };

test('an entry of a source whose entries wait is published after its release, with the words of the editor', async () => {
  const { id, desk, publish, read, held, article, editByPublisher } = await startHeldSource(
    'waits.example',
    'Brno',
    'all',
  );
  expect([await held(), await read()]).toEqual([[id], undefined]);
  const [hold] = await listJournal(database.database, { subject: id, countMax: 1 });
  expect(hold).toMatchObject({ action: 'hold', actor: { kind: 'rule', rule: 'source' } });
  const title = 'Peregrine Brno cost Ostrava Labs 120 million dollars';
  valueOf(await desk.editEntry({ id, words: { ...words, title, category: 'industry' } }));
  valueOf(await desk.releaseEntry({ id }));
  await publish();
  expect([await held(), await read()]).toMatchObject([[], { title, category: 'industry' }]);
  article.title = 'Ostrava Labs releases Peregrine Brno for 150 million dollars';
  await editByPublisher();
  expect(await read()).toMatchObject({ title, category: 'industry' });
  expect(await readItemOverride(database.database, id)).toMatchObject({ keepsTitle: true });
  const edits = await database.asSuperuser('SELECT FROM newsroom.entry_edit WHERE entry_id = $1', [id]);
  expect(edits).toEqual([]);
});

test('words that the entry does not support need evidence, which is published as a correction', async () => {
  const { id, desk, publish, read } = await startHeldSource('unsupported.example', 'Olomouc', 'first-import');
  const title = 'Peregrine Olomouc cost Ostrava Labs 900 million dollars';
  const refused = await desk.editEntry({ id, words: { ...words, title } });
  expect(refused).toMatchObject({ ok: false, reason: 'unsupported_text' });
  valueOf(await desk.editEntry({ id, words: { ...words, title, unverified: 'Its annual report.' } }));
  valueOf(await desk.releaseEntry({ id }));
  await publish();
  expect(await read()).toMatchObject({ title });
  const [correction] = await database.asSuperuser('SELECT reason FROM record.correction WHERE subject = $1', [
    id,
  ]);
  expect(correction?.['reason']).toContain('Its annual report.');
});

test('an undone edit of a waiting entry returns the words of the rules', async () => {
  const { id, desk, publish, read, article } = await startHeldSource('undone.example', 'Liberec', 'all');
  const title = 'Peregrine Liberec cost Ostrava Labs 120 million dollars';
  valueOf(await desk.editEntry({ id, words: { ...words, title } }));
  const [edit] = await listJournal(database.database, { subject: id, countMax: 1 });
  valueOf(await desk.undo({ id: edit?.id ?? '', reason: 'A mistake.' }));
  valueOf(await desk.releaseEntry({ id }));
  await publish();
  expect(await read()).toMatchObject({ title: article.title });
});
