import { expect, test } from 'vitest';

import { systemClock } from '../../foundation/clock.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { ListForm } from './parse-feed.ts';
import { parseFeed } from './parse-feed.ts';

function read(text: string, form: ListForm): ReturnType<typeof parseFeed> {
  const bytes = new TextEncoder().encode(text);
  return parseFeed(
    { bytes, contentType: 'text/html', url: 'https://lab.example/news/', receivedAt: systemClock.now() },
    form,
  );
}

const page = `<!doctype html><html lang="en"><title>News</title><main>
  <article><a href="/news/one"><h3>Model one</h3></a><time datetime="2026-01-02T10:00:00Z">Jan 2</time><p class="lead">It <b>reads</b>.</p></article>
  <article><a href="two?utm_source=list"><h3>Model two</h3></a><time datetime="2026-01-01">Jan 1</time></article>
  <article><h3>No link</h3></article>
</main></html>`;

test('reads a page without a feed by CSS selectors', () => {
  const list = read(page, {
    kind: 'page list',
    rules: { entry: 'main article', date: 'time@datetime', summary: '.lead' },
  });
  if (!list.ok) throw new Error(list.reason);
  expect(list.value).toMatchObject({ format: 'page list', title: 'News', language: 'en' });
  expect(list.value.entries).toMatchObject([
    { title: 'Model one', link: 'https://lab.example/news/one', summary: 'It reads.' },
    { title: 'Model two', link: 'https://lab.example/news/two', summary: '' },
  ]);
  expect(list.value.entries[0]?.keys[0].from).toBe('address');
});

test('needs one selector if the entries are links', () => {
  const list = read('<a class="post" href="/a">First</a><a class="post" href="/b">Second</a>', {
    kind: 'page list',
    rules: { entry: 'a.post' },
  });
  expect(list.ok && list.value.entries.map(({ title }) => title)).toEqual(['First', 'Second']);
});

test('refuses a page on which the selectors match nothing', () => {
  const rules = { entry: '.post' };
  expect(read(page, { kind: 'page list', rules })).toMatchObject({ ok: false, reason: 'no entries found' });
  expect(read(page, { kind: 'page list', rules: { entry: 'a[' } })).toMatchObject({
    ok: false,
    reason: 'unreadable selector',
  });
});

test('reads a JSON response by paths, and addresses by a pattern', () => {
  const json = {
    data: { list: [{ slug: 'a b', attributes: { title: 'One' }, at: 1_767_297_600, n: 5 }, { slug: 'x' }] },
  };
  const list = read(JSON.stringify(json), {
    kind: 'json list',
    rules: {
      entries: 'data.list',
      title: 'attributes.title',
      link: 'https://lab.example/p/{slug}',
      id: 'n',
      date: 'at',
    },
  });
  if (!list.ok) throw new Error(list.reason);
  expect(list.value.entries).toMatchObject([
    { guid: '5', title: 'One', link: 'https://lab.example/p/a%20b' },
  ]);
  const at = list.value.entries[0]?.published.instant;
  expect(at === undefined || at === null ? null : isoMilliseconds(at)).toBe('2026-01-01T20:00:00.000Z');
});

test('refuses a JSON response without the array, or with an array without readable entries', () => {
  const form: ListForm = { kind: 'json list', rules: { entries: 'items', title: 'title', link: 'url' } };
  for (const text of ['{"data":[]}', '{"items":[{"name":"One"}]}', '{"__proto__":{"items":[]}}'])
    expect(read(text, form)).toMatchObject({ ok: false, reason: 'no entries found' });
  expect(read('{"items":[]}', form)).toMatchObject({ ok: true });
  expect(read('<html><title>Just a moment...</title><body>Checking your browser</body>', form)).toMatchObject(
    {
      ok: false,
      reason: 'challenge page',
    },
  );
});
