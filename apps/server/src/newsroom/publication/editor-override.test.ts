import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { valueOf } from '../../../test/factories/record-factory.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { systemClock } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';
import { createEditorDesk } from '../desk/editor-desk.ts';
import { listJournal } from '../desk/journal-store.ts';
import { readItemOverride } from './item-override-store.ts';

let database: TestDatabase;
// One for each test: the same text of another source would be a reprint.
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** One source whose entry the test edits. */
async function startEditedSource(host: string) {
  const article = {
    title: 'Ostrava Labs releases Peregrine 7 for 120 million dollars',
    text: 'Ostrava Labs released Peregrine 7 on Monday. The model cost 120 million dollars and was trained on 4,000 chips in Brno.',
  };
  const { fetcher } = await startPublisher((request, response) => {
    response.end(
      `<rss version="2.0"><channel><title>${host}</title><item><guid>1</guid><link>http://${request.headers.host}/1</link><title>${article.title}</title><description>${article.text}</description></item></channel></rss>`,
    );
  });
  const newsroom = createTestNewsroom(database, systemClock, fetcher);
  const source = await newsroom.add(`http://${host}/feed`, { name: host, tier: 1, firstParty: true });
  const publish = async (): Promise<void> => {
    await newsroom.poll(source);
    await newsroom.publish();
  };
  await publish();
  const entry = (await newsroom.entries()).find(({ source_id }) => source_id === source.id);
  const itemId = entry?.id as Id<'item'>;
  const { database: store, clock, publisher } = newsroom.deskDeps;
  return {
    itemId,
    desk: createEditorDesk({ database: store, clock, publisher, language: 'en' }),
    edit: async (change: Partial<typeof article>): Promise<void> => {
      Object.assign(article, change);
      await publish();
    },
    read: () =>
      database.database
        .selectFrom('record.item')
        .select(['title', 'summary', 'selected', 'reason'])
        .where('id', '=', itemId)
        .executeTakeFirstOrThrow(),
  };
}

test('the title that a person wrote survives an edit of the publisher, which becomes a proposal', async () => {
  const { itemId, desk, edit, read } = await startEditedSource('title.example');
  const title = 'Peregrine 7 cost Ostrava Labs 120 million dollars';
  valueOf(await desk.correctItem({ itemId, changes: { title }, reason: 'Clearer.' }));
  const text =
    'Ostrava Labs released Peregrine 7 on Tuesday. The model cost 150 million dollars and was trained on 5,000 chips in Brno.';
  await edit({ title: 'Ostrava Labs releases Peregrine 7 for 150 million dollars', text });
  expect(await read()).toMatchObject({ title, summary: expect.stringContaining('150 million') });
  expect(await readItemOverride(database.database, itemId)).toMatchObject({
    keepsTitle: true,
    proposedTitle: 'Ostrava Labs releases Peregrine 7 for 150 million dollars',
    proposedSummary: null,
  });
});

test('an item that a person unselected is not selected again, and a selected one stays', async () => {
  const { itemId, desk, edit, read } = await startEditedSource('selection.example');
  expect(await read()).toMatchObject({ selected: true });
  valueOf(await desk.unselectItem({ itemId, reason: 'Not important.' }));
  await edit({ title: 'Ostrava Labs releases Peregrine 7 for 160 million dollars' });
  expect(await read()).toMatchObject({ selected: false });
  valueOf(await desk.selectItem({ itemId, reason: 'It matters.' }));
  await edit({ title: 'Ten best recipes for a summer evening', text: 'Cook pasta and enjoy the evening.' });
  expect(await read()).toMatchObject({ selected: true, reason: 'It matters.' });
});

test('the selection by rule is in the journal with its features, and so is its end', async () => {
  const { itemId, edit } = await startEditedSource('rules.example');
  await edit({ title: 'Ten best recipes for a summer evening', text: 'Cook pasta and enjoy the evening.' });
  const entries = await listJournal(database.database, { subject: itemId, countMax: 10 });
  expect(entries).toMatchObject([
    { action: 'unselect', actor: { kind: 'rule', rule: 'representative' } },
    {
      action: 'select',
      actor: { kind: 'rule', rule: 'selection' },
      detail: { tier: expect.any(Number), substance: expect.any(Number), owners: 1 },
    },
  ]);
});

test('an undone decision returns the item to the rules', async () => {
  const { itemId, desk, edit, read } = await startEditedSource('undone.example');
  valueOf(await desk.unselectItem({ itemId, reason: 'Not important.' }));
  const [entry] = await database.asSuperuser(
    `SELECT id::text FROM newsroom.journal_entry WHERE subject = $1 AND decided_by = 'operator' ORDER BY id DESC LIMIT 1`,
    [itemId],
  );
  valueOf(await desk.undo({ id: String(entry?.['id']), reason: 'A mistake.' }));
  expect(await readItemOverride(database.database, itemId)).toMatchObject({ selection: null });
  await edit({ title: 'Ten best recipes for a summer evening', text: 'Cook pasta and enjoy the evening.' });
  expect(await read()).toMatchObject({ selected: false });
});
