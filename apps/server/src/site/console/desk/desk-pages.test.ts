import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { createRecordFactory, valueOf } from '../../../../test/factories/record-factory.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';
import type { Id } from '../../../foundation/ids.ts';

let stage: TestAccess;
let newsroom: TestOrganization;
let record: ReturnType<typeof createRecordFactory>;
let owner: string;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true, newsroomOrganization: 'team-1' });
  newsroom = await stage.createOrganization();
  record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  owner = await signInForCookie(stage, newsroom.owner);
});
afterAll(() => stage.stop());
beforeEach(() => stage.age());

const cookieOf = (who: TestMember): Promise<string> => signInForCookie(stage, who);
const open = (path: string, cookie = owner): Promise<Answer> => openPage(stage, path, cookie);

/** Fills the form with this action as the page shows it, and sends it. */
async function submit(page: Answer, action: string, fields: Record<string, string>, cookie = owner) {
  return sendForm(stage, action, { ...hiddenOf(page, action), ...fields }, { cookie });
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

const itemOf = (id: string) =>
  stage.database.database
    .selectFrom('record.item')
    .select(['title', 'category', 'selected', 'reason', 'story_id', 'withdrawn_at'])
    .where('id', '=', id)
    .executeTakeFirst();

const pages = ['/desk', '/desk/items', '/desk/journal'];

describe('404', () => {
  test('the desk does not exist for an owner of another organization, a guest and a stranger', async () => {
    const other = await stage.createOrganization();
    const outsiders = [other.owner, await newsroom.addMember('guest')];
    const itemId = await record.publish();
    for (const outsider of outsiders) {
      const cookie = await cookieOf(outsider);
      for (const path of [...pages, `/desk/items/${itemId}`, `/desk/items/${itemId}/withdraw`])
        expect([path, (await open(path, cookie)).status]).toEqual([path, 404]);
      const sent = await sendForm(stage, `/desk/items/${itemId}/select`, { reason: 'Mine.' }, { cookie });
      expect(sent.status).toBe(404);
    }
    expect((await itemOf(itemId))?.selected).toBe(false);
    for (const path of pages) expect((await openPage(stage, path)).status).toBe(303);
  });
});

test('the ready-made policy of reporters allows to rewrite items of the newsroom', async () => {
  const policies = `/platform/${newsroom.key}/policies`;
  const offer = (await open(`${policies}?new=1`)).text;
  const start = offer.lastIndexOf('<form', offer.indexOf('Reporter: read the newsroom'));
  const form = offer.slice(start, offer.indexOf('</form>', start));
  const fields = [...form.matchAll(/name="(can|name)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const made = await ask(stage.app.port, policies, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie: owner,
    },
  });
  expect(made.status).toBe(303);
  const page = await open(made.headers.location ?? '');
  expect(page.text).toContain('value="Reporter"');
  expect(page.text).toContain('<span>rewrite and recategorize items</span>');
  expect(page.text).toContain(`/organizations/${newsroom.key}/newsroom/`);
});

describe('403', () => {
  test('a viewer of the organization reads the desk, sees no forms, and changes nothing', async () => {
    const cookie = await cookieOf(await newsroom.addMember('viewer'));
    const itemId = await record.publish();
    for (const path of [...pages, `/desk/items/${itemId}`])
      expect((await open(path, cookie)).status).toBe(200);
    expect((await open(`/desk/items/${itemId}`, cookie)).text).not.toContain(`action="/desk/items/${itemId}`);
    const sent = await sendForm(stage, `/desk/items/${itemId}/select`, { reason: 'Mine.' }, { cookie });
    expect(sent.status).toBe(403);
    expect((await itemOf(itemId))?.selected).toBe(false);
  });
});

/** A guest with one policy, through a group. */
async function addReader(actions: readonly string[]): Promise<string> {
  const member = await newsroom.addMember('guest');
  const at = `/organizations/${newsroom.key}/newsroom`;
  const named = { platform_key: newsroom.key, name: `only ${actions.join()}` };
  const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', newsroom.owner.headers, {
    ...named,
    actions,
    resources: [at, `${at}/**`],
  });
  await stage.send('POST', '/dm/api/core/rbac/groups/', newsroom.owner.headers, {
    ...named,
    users_to_add: [member.username],
    policies_to_add: [policy.json()['id']],
  });
  stage.age();
  return cookieOf(member);
}

test('the journal of an item or a story is shown to readers of the journal only', async () => {
  const cookie = await addReader([
    'Daybook.Newsroom/Queue/read',
    'Daybook.Newsroom/Items/read',
    'Daybook.Newsroom/Stories/read',
  ]);
  const itemId = await record.publish();
  const { storyId } = valueOf(await record.publisher.openStory({ title: 'Event', itemIds: [itemId] }));
  const path = `/desk/items/${itemId}`;
  await submit(await open(path), `${path}/select`, { reason: 'A secret reason.' });
  for (const page of [path, `/desk/stories/${storyId}`]) {
    expect((await open(page)).text).toContain('Journal</h2>');
    const shown = await open(page, cookie);
    expect([shown.status, shown.text.includes('Journal</h2>')]).toEqual([200, false]);
  }
});

describe('an item', () => {
  test('is selected, recategorized and undone from the pages', async () => {
    const itemId = await record.publish();
    const path = `/desk/items/${itemId}`;
    const selected = await submit(await open(path), `${path}/select`, { reason: 'It matters.' });
    expect([selected.status, selected.headers['location']]).toEqual([303, `${path}?done=1`]);
    expect(await itemOf(itemId)).toMatchObject({ selected: true, reason: 'It matters.' });
    const page = await open(path);
    const fields = {
      title: 'A model was released',
      summary: 'It reads longer texts than its predecessor.',
      category: 'industry',
      reason: 'It is about a company.',
    };
    expect((await submit(page, `${path}/correct`, fields)).status).toBe(303);
    expect((await itemOf(itemId))?.category).toBe('industry');
    const journal = await open('/desk/journal');
    const [, entry = ''] = /\/desk\/journal\/(\d+)\/undo/.exec(journal.text) ?? [];
    const undone = await submit(journal, `/desk/journal/${entry}/undo`, {});
    expect(undone.headers['location']).toBe('/desk/journal?done=1');
    expect((await itemOf(itemId))?.category).toBe('ai-models');
    expect((await open('/desk/journal')).text).toContain('Undone');
  });

  test('shows unsupported facts, and publishes them only with evidence, in public', async () => {
    const itemId = await record.publish();
    const path = `/desk/items/${itemId}`;
    const page = await open(path);
    const fields = { title: 'GPT-7 was released', summary: 'It reads longer texts.', category: 'ai-models' };
    const checked = await submit(page, `${path}/correct`, { ...fields, check: '1' });
    expect([checked.status, checked.text.includes('The source text is not stored.')]).toEqual([200, true]);
    const refused = await submit(page, `${path}/correct`, { ...fields, reason: 'Better.' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('name="unverified"');
    const forced = await submit(refused, `${path}/correct`, {
      ...fields,
      reason: 'Better.',
      unverified: 'Seen by us.',
    });
    expect(forced.status).toBe(303);
    const [correction] = await stage.database.asSuperuser(
      'SELECT reason FROM record.correction WHERE subject = $1',
      [itemId],
    );
    expect(correction?.['reason']).toBe('Better. Not verified against the source: Seen by us.');
  });

  test('a stale form is 409 and shows both versions; a repeated one has no effect', async () => {
    const itemId = await record.publish();
    const path = `/desk/items/${itemId}`;
    const page = await open(path);
    const fields = { title: 'A model was released', summary: 'It reads longer texts than its predecessor.' };
    const first = { ...fields, category: 'industry', reason: 'One.' };
    expect((await submit(page, `${path}/correct`, first)).status).toBe(303);
    const repeated = await submit(page, `${path}/correct`, first);
    expect(repeated.status).toBe(303);
    const reused = await submit(page, `${path}/correct`, { ...first, category: 'paper' });
    expect([reused.status, reused.text.includes('already submitted with different content')]).toEqual([
      409,
      true,
    ]);
    const other = { ...hiddenOf(page, `${path}/correct`), request: record.ids.next() };
    const stale = await sendForm(
      stage,
      `${path}/correct`,
      { ...other, ...fields, category: 'paper', reason: 'Two.' },
      { cookie: owner },
    );
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('Changed in the meantime');
    expect(stale.text).toContain('industry');
    expect((await itemOf(itemId))?.category).toBe('industry');
  });

  test('is withdrawn after a page that lists where it disappears from', async () => {
    const itemId = await record.publish();
    const path = `/desk/items/${itemId}/withdraw`;
    const page = await open(path);
    expect(page.text).toContain('the front page');
    expect((await submit(page, path, { reason: ' ' })).status).toBe(409);
    expect((await submit(page, path, { reason: 'The publisher retracted it.' })).status).toBe(303);
    expect((await itemOf(itemId))?.withdrawn_at).not.toBeNull();
    expect((await open(`/desk/items/${itemId}`)).status).toBe(404);
  });
});

describe('a story', () => {
  async function openStory(title: string, count: number) {
    const itemIds: Id<'item'>[] = [];
    for (let at = 0; at < count; at += 1)
      itemIds.push(await record.publish({ sourceName: `${title} ${at}` }));
    return { itemIds, ...valueOf(await record.publisher.openStory({ title, itemIds })) };
  }

  test('is retitled, split by marking items, and merged into another', async () => {
    const { storyId, itemIds } = await openStory('A model', 2);
    const path = `/desk/stories/${storyId}`;
    const named = { title: 'A model was released', reason: 'Clearer.' };
    expect((await submit(await open(path), `${path}/retitle`, named)).status).toBe(303);
    const page = await open(path);
    expect(page.text).toContain('A model was released');
    const marked = { ...named, items: String(itemIds[1]), reason: 'Two events.' };
    expect((await submit(page, `${path}/split`, marked)).status).toBe(303);
    const apart = (await itemOf(String(itemIds[1])))?.story_id;
    expect(apart).not.toBe(storyId);
    const other = `/desk/stories/${apart}`;
    const merged = await submit(await open(other), `${other}/merge`, {
      other: storyId,
      reason: 'One event.',
    });
    expect(merged.headers['location']).toBe(`${path}?done=1`);
    expect((await itemOf(String(itemIds[1])))?.story_id).toBe(storyId);
  });
});

test('every page is in Chinese for visitors who chose it', async () => {
  const itemId = await record.publish();
  const cookie = `${owner}; __Host-daybook-language=zh`;
  for (const [path, text] of [
    ['/desk', '待处理'],
    ['/desk/items', '所有信源的资讯'],
    [`/desk/items/${itemId}`, '事实核查'],
    ['/desk/journal', '操作记录'],
  ] as const) {
    const page = await open(path, cookie);
    expect([path, page.status, page.text.includes(text)]).toEqual([path, 200, true]);
  }
});

test('the navigation shows the desk in the newsroom’s organization only', async () => {
  expect((await open(`/platform/${newsroom.key}`)).text).toContain('href="/desk"');
  const other = await stage.createOrganization();
  expect((await open(`/platform/${other.key}`, await cookieOf(other.owner))).text).not.toContain(
    'href="/desk"',
  );
});
