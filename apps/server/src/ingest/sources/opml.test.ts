import { expect, test } from 'vitest';

import { readOpml, writeOpml } from './opml.ts';
import { settingsFor } from './source.ts';

const opml = (body: string): string =>
  `<?xml version="1.0"?><opml version="2.0"><head><title>t</title></head><body>${body}</body></opml>`;

test('reads feeds from nested folders, with name, homepage and language', () => {
  const read = readOpml(
    opml(
      '<outline text="News"><outline text="Deep"><outline text="Lab" type="rss" xmlUrl="https://lab.example/feed" htmlUrl="https://lab.example/" language="en"/></outline></outline><outline text="A" title="Better name" xmlUrl="http://a.example/rss"/>',
    ),
  );
  expect(read.ok && read.value.sources).toMatchObject([
    { name: 'Better name', feedUrl: 'http://a.example/rss', homepageUrl: null },
    { name: 'Lab', feedUrl: 'https://lab.example/feed', homepageUrl: 'https://lab.example/', language: 'en' },
  ]);
});

test('leaves out unusable addresses and reports them', () => {
  const read = readOpml(
    opml('<outline text="x" xmlUrl="javascript:alert(1)"/><outline text="y" xmlUrl="file:///etc/passwd"/>'),
  );
  expect(read).toEqual({
    ok: true,
    value: { sources: [], unusable: ['javascript:alert(1)', 'file:///etc/passwd'] },
  });
});

test.each(['', 'not xml', '<html><body>page</body></html>'])('refuses "%s" as OPML', (text) => {
  expect(readOpml(text)).toEqual({ ok: false, reason: 'not OPML' });
});

test('writes feeds that it can read again, and reports the sources that are no feeds', () => {
  const feed = settingsFor(new URL('https://lab.example/feed'), { name: 'Lab & Co', language: 'en' });
  const page = settingsFor(new URL('https://page.example/news'), {
    form: { kind: 'page list', rules: { entry: 'article' } },
  });
  const written = writeOpml([feed, page]);
  expect(written).toMatchObject({ feeds: 1, leftOut: ['page.example'] });
  const read = readOpml(written.opml);
  expect(read).toEqual({ ok: true, value: { sources: [{ ...feed, owner: 'Lab & Co' }], unusable: [] } });
});
