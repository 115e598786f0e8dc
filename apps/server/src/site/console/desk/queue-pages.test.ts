import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { TestAccess, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';

let stage: TestAccess;
let newsroom: TestOrganization;
let owner: string;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true, newsroomOrganization: 'team-1' });
  newsroom = await stage.createOrganization();
  owner = await signInForCookie(stage, newsroom.owner);
  await stage.database.asSuperuser(
    `WITH site AS (INSERT INTO newsroom.domain (name, due_at) VALUES ('lab.example', now()) RETURNING name)
     INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form, domain,
       created_at, state, due_at)
     SELECT gen_random_uuid(), 'Lab', 'Lab', false, 2, 'editorial', 'https://lab.example', '{"kind": "feed"}', name,
       now(), 'active', now() FROM site`,
  );
});
afterAll(() => stage.stop());
beforeEach(async () => {
  stage.age();
  await stage.database.asSuperuser('UPDATE newsroom.entry SET withdrawn_at = now()');
});

const open = (path: string): Promise<Answer> => openPage(stage, path, owner);

/** Entries that are not published yet; their ids are in their order. */
async function land(count: number): Promise<readonly string[]> {
  const rows = await stage.database.asSuperuser(
    `INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import)
     SELECT ('0199' || lpad(n::text, 4, '0') || '-0000-7000-8000-' || right(gen_random_uuid()::text, 12))::uuid,
       source.id, 'https://lab.example/' || gen_random_uuid(), 'Lab releases Corvid ' || n,
       'Lab released Corvid ' || n || ' on Monday. It costs 3 dollars.', '2026-11-14T00:00:00Z', false
     FROM newsroom.source, generate_series(1, $1) AS n RETURNING id`,
    [count],
  );
  return rows.map(({ id }) => String(id)).sort();
}

function hiddenOf({ text }: Answer, action: string): Record<string, string> {
  const start = text.indexOf(`action="${action}"`);
  const form = text.slice(start, text.indexOf('</form>', start));
  return Object.fromEntries(
    [...form.matchAll(/type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
}

const entryOf = async (id: string) =>
  (await stage.database.asSuperuser('SELECT outcome FROM newsroom.entry WHERE id = $1', [id]))[0]?.[
    'outcome'
  ];

const cardsOf = ({ text }: Answer): readonly string[] =>
  [...text.matchAll(/data-entry="waiting ([\w-]+)"/g)].map(([, id = '']) => id);

test('pages of the queue show each entry once, newest first', async () => {
  const ids = await land(60);
  const first = await open('/desk?kind=waiting');
  const [, older = ''] = /href="([^"]*cursor[^"]*)"/.exec(first.text) ?? [];
  const second = await open(older.replaceAll('&#38;', '&').replaceAll('&#61;', '='));
  expect([...cardsOf(first), ...cardsOf(second)]).toEqual(ids.toReversed());
  expect(cardsOf(first)).toHaveLength(50);
});

test('several entries are dropped after a preview, and one that changed meanwhile is refused alone', async () => {
  const [one = '', two = '', three = ''] = await land(3);
  const page = await open('/desk?kind=waiting');
  const picked = [...page.text.matchAll(/name="entries"\s+value="([^"]+)"/g)].map(([, value = '']) => value);
  expect(picked).toHaveLength(3);
  const chosen = picked.filter((value) => !value.startsWith(three));
  const preview = await sendBulk({ kind: 'waiting', action: 'drop', entries: chosen });
  expect([preview.status, preview.text.includes('never published')]).toEqual([200, true]);
  expect(await entryOf(one)).toBeNull();
  // Another editor holds one of them.
  const held = await sendForm(
    stage,
    `/desk/entries/${two}/hold`,
    { reason: 'Ask first.' },
    { cookie: owner },
  );
  expect(held.status).toBe(303);
  const form = { ...hiddenOf(preview, '/desk/bulk'), reason: 'Advertisements.' };
  const done = await sendBulk({ ...form, entries: chosen });
  expect(done.text).toContain('1 was refused:');
  const names = await Promise.all([one, two, three].map(entryOf));
  expect(names).toEqual(['held', 'held', null]);
  const holds = await stage.database.asSuperuser(
    'SELECT state FROM newsroom.entry_hold WHERE entry_id = ANY ($1) ORDER BY entry_id',
    [[one, two]],
  );
  expect(holds.map(({ state }) => state)).toEqual(['dropped', 'held']);
});

function sendBulk(fields: Readonly<Record<string, string | readonly string[]>>): Promise<Answer> {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return ask(stage.app.port, '/desk/bulk', {
    method: 'POST',
    body: new URLSearchParams(pairs).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie: owner,
    },
  });
}

test('an entry is rewritten on its page before its publication; the article must support the words', async () => {
  const [id = ''] = await land(1);
  const path = `/desk/entries/${id}`;
  const page = await open(path);
  expect(page.text).toContain('Lab released Corvid 1 on Monday.');
  const edit = `${path}/edit`;
  const typed = { summary: 'Corvid 1 costs 3 dollars.', category: 'ai-models' };
  const wrong = { ...hiddenOf(page, edit), ...typed, title: 'Lab releases Corvid 9' };
  const refused = await sendForm(stage, edit, wrong, { cookie: owner });
  expect([refused.status, refused.text.includes('name="unverified"')]).toEqual([400, true]);
  const right = { ...hiddenOf(refused, edit), ...typed, title: 'Corvid 1 costs 3 dollars' };
  expect((await sendForm(stage, edit, right, { cookie: owner })).status).toBe(303);
  const saved = await open(path);
  expect(saved.text).toContain('value="Corvid 1 costs 3 dollars"');
  expect(saved.text).toContain('Rewritten before publication');
  const stale = await sendForm(
    stage,
    edit,
    { ...right, title: 'Lab: Corvid 1', request: '' },
    { cookie: owner },
  );
  expect([stale.status, stale.text.includes('Changed in the meantime')]).toEqual([409, true]);
});
