import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { TestAccess, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { createRecordFactory, valueOf } from '../../../../test/factories/record-factory.ts';
import { openPage, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';

let stage: TestAccess;
let newsroom: TestOrganization;
let record: ReturnType<typeof createRecordFactory>;
let owner: string;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true, site: true, newsroomOrganization: 'team-1' });
  newsroom = await stage.createOrganization();
  record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  owner = await signInForCookie(stage, newsroom.owner);
});
afterAll(() => stage.stop());
beforeEach(() => stage.age());

const open = (path: string, cookie = owner): Promise<Answer> => openPage(stage, path, cookie);

const send = (path: string, fields: readonly (readonly [string, string])[], cookie = owner) =>
  ask(stage.app.port, path, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie,
    },
  });

function hiddenOf({ text }: Answer, action: string): readonly (readonly [string, string])[] {
  const start = text.indexOf(`action="${action}"`);
  const form = text.slice(start, text.indexOf('</form>', start));
  return [...form.matchAll(/type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
}

async function story(title: string, count: number): Promise<string> {
  const itemIds = [];
  for (let at = 0; at < count; at += 1)
    itemIds.push(await record.publish({ title, sourceName: `${title} ${at}` }));
  return valueOf(await record.publisher.openStory({ title, itemIds })).storyId;
}

const storyOf = async (id: string) =>
  (await stage.database.asSuperuser('SELECT merged_into FROM record.story WHERE id = $1', [id]))[0];

const merge = '/desk/stories/merge';

test('two marked stories are merged after a preview, once, and the merge is undone on the page of the story', async () => {
  const [large, small] = [await story('Tarn buys Quill', 2), await story('Quill is bought', 1)];
  const list = await open('/desk/stories?query=quill');
  expect([list.text.includes(`value="${large}"`), list.text.includes(`value="${small}"`)]).toEqual([
    true,
    true,
  ]);
  const preview = await send(merge, [
    ['stories', small],
    ['stories', large],
  ]);
  expect([preview.status, preview.text.includes('Tarn buys Quill (2 items)')]).toEqual([200, true]);
  expect(await storyOf(small)).toEqual({ merged_into: null });
  const form = [...hiddenOf(preview, merge), ['into', large], ['reason', 'One event.']] as const;
  for (const attempt of ['first', 'repeated']) {
    const { status, headers } = await send(merge, form);
    expect([attempt, status, headers.location]).toEqual([attempt, 303, `/desk/stories/${large}?done=1`]);
  }
  expect(await storyOf(small)).toEqual({ merged_into: large });
  const page = await open(`/desk/stories/${large}?done=1`);
  const [, entry = ''] = /\/desk\/journal\/(\d+)\/undo/.exec(page.text) ?? [];
  const undo = `/desk/journal/${entry}/undo`;
  const undone = await send(undo, hiddenOf(page, undo));
  expect([undone.status, undone.headers.location]).toEqual([303, `/desk/stories/${large}?done=1`]);
  expect(await storyOf(small)).toEqual({ merged_into: null });
});

test('a story that changed after the preview is not merged, and one story or three are refused', async () => {
  const ids = [
    await story('Halden opens', 1),
    await story('Halden opens an office', 1),
    await story('Halden', 1),
  ];
  const [one = '', other = ''] = ids;
  const preview = await send(merge, [
    ['stories', one],
    ['stories', other],
  ]);
  const itemId = await record.publish({ title: 'Halden, again', sourceName: 'Late' });
  valueOf(await record.publisher.assignToStory({ storyId: one as never, itemIds: [itemId] }));
  const stale = await send(merge, [...hiddenOf(preview, merge), ['into', other], ['reason', 'One event.']]);
  expect([stale.status, stale.text.includes('Changed in the meantime')]).toEqual([409, true]);
  expect(await storyOf(one)).toEqual({ merged_into: null });
  for (const marked of [[], [one], ids]) {
    const refused = await send(
      merge,
      marked.map((id) => ['stories', id] as const),
    );
    expect([marked.length, refused.status]).toEqual([marked.length, 400]);
  }
});

test('entries of the queue are merged as the stories of their items', async () => {
  const [one, other] = [await story('Corvid is out', 1), await story('Corvid is there', 1)];
  const items = await stage.database.asSuperuser(
    'SELECT id FROM record.item WHERE story_id = ANY($1::uuid[])',
    [[one, other]],
  );
  const preview = await send(merge, [
    ['kind', 'grouping'],
    ...items.map(({ id }) => ['entries', `${String(id)}:1`] as const),
  ]);
  expect(preview.status).toBe(200);
  expect([preview.text.includes(`value="${one}:`), preview.text.includes(`value="${other}:`)]).toEqual([
    true,
    true,
  ]);
});

test('the list proposes stories to merge with another one, and readers cannot merge', async () => {
  const [one, other] = [await story('Merrow opens a plant', 1), await story('Merrow opens', 1)];
  const list = await open(`/desk/stories?with=${one}`);
  expect(list.text).toContain(`name="stories" value="${one}" form="selection"`);
  expect(list.text).not.toMatch(new RegExp(`type="checkbox"[^>]*value="${one}"`));
  const viewer = await signInForCookie(stage, await newsroom.addMember('viewer'));
  const read = await open('/desk/stories', viewer);
  expect([read.status, read.text.includes('type="checkbox"')]).toEqual([200, false]);
  const marked = [
    ['stories', one],
    ['stories', other],
  ] as const;
  expect((await send(merge, marked, viewer)).status).toBe(403);
});

test('a title by an editor says so on its page; without proof, a correction states it in public', async () => {
  const id = await story('Perrine is on sale', 1);
  const retitle = `/desk/stories/${id}/retitle`;
  // Pages are cached for a minute: this is another one.
  const byRule = await story('Merrow is on sale', 1);
  expect((await open(`/story/${byRule}`)).text).not.toContain('Title by an editor');
  const typed = [
    ['title', 'Perrine costs 99 dollars'],
    ['reason', 'Clearer.'],
  ] as const;
  const refused = await send(retitle, [...hiddenOf(await open(`/desk/stories/${id}`), retitle), ...typed]);
  expect([refused.status, refused.text.includes('Number: 99 dollars')]).toEqual([400, true]);
  const stated = [...hiddenOf(refused, retitle), ...typed, ['unverified', 'We bought one.']] as const;
  expect((await send(retitle, stated)).status).toBe(303);
  stage.age();
  expect((await open(`/story/${id}`)).text).toContain('Title by an editor');
  expect((await open('/corrections')).text).toContain('Not verified against the source: We bought one.');
  expect((await open(`/desk/stories/${id}`)).text).toContain('By an editor');
});
