import { expect, test } from 'vitest';

import { articleBody, articleParagraphs } from './article-body.ts';

const sentence =
  'The laboratory said on Monday that its new model reads documents of two million words, twice as many as the model before, and that all customers get it in December. ';
const body = [0, 1, 2, 3, 4].map((at) => `<p>Part ${at}: ${sentence.repeat(2)}</p>`);
const hanSentence =
  '砚石智能周一表示，新模型可以阅读两百万字的文件，是上一代模型的两倍，十二月起向所有客户开放。';
const hanBody = [0, 1, 2, 3, 4].map((at) => `<p>第${at}部分：${hanSentence.repeat(3)}</p>`);

interface Parts {
  readonly head?: string;
  readonly before?: string;
  readonly inside?: string;
  readonly after?: string;
}

function page({ head = '', before = '', inside = '', after = '' }: Parts, paragraphs = body): string {
  const [first = '', ...rest] = paragraphs;
  return `<html><head><title>Lab widens its window | The Wire</title>${head}</head><body><main><article><h1>Lab widens its window</h1>${before}${first}${inside}${rest.join('')}${after}</article></main></body></html>`;
}

function roleOfLine(html: string, part: string): string | undefined {
  return articleParagraphs(html).find(({ text }) => text.includes(part))?.role;
}

test('the text consists of standfirst and body only', () => {
  const html = page({
    before: '<h2>Documents of two million words are no longer too long for a model</h2>',
    inside:
      '<figure><img src="a.jpg"><figcaption>A server in Linjiang.</figcaption></figure><p>Read more: Halvoric opens an office</p>',
  });
  const lines = articleBody(html).split('\n');
  expect(lines).toHaveLength(body.length + 1);
  expect(lines[0]).toBe('Documents of two million words are no longer too long for a model');
});

test.each([
  ['caption', '<div class="photo"><img src="a.jpg"><em>Mara Quill in front of a server.</em></div>', 'Mara'],
  ['caption', '<p>Mara Quill opens the hall in Linjiang. (AP Photo/Tobias Renn, File)</p>', 'Mara'],
  ['caption', '<p>Mara Quill opens the hall in Linjiang - Image: Halvoric Foundation</p>', 'Mara'],
  ['caption', '<div class="lead-caption">Mara Quill opens the hall.</div>', 'Mara'],
  ['biography', '<div class="author-bio"><p>Mara Quill has seen every server.</p></div>', 'Mara'],
  ['biography', '<p>(Reporting by Mara Quill; Editing by Tobias Renn)</p>', 'Mara'],
  ['biography', '<p>Write to Mara Quill at mara@wire.example</p>', 'Mara'],
  ['promotion', '<div class="newsletter"><p>The best of the Wire each day.</p></div>', 'best'],
  ['promotion', '<p>Subscribe to our daily newsletter and never miss a server again.</p>', 'never'],
  ['links', '<aside><p>Halvoric opens an office in Linjiang.</p></aside>', 'Halvoric'],
  ['links', '<p><a href="/h">Halvoric opens an office</a></p>', 'Halvoric'],
  ['disclaimer', '<p>The views expressed here are those of the author.</p>', 'views'],
  ['correction', '<p>Correction: An earlier headline named the wrong laboratory.</p>', 'wrong'],
  ['correction', '<p>This article has been updated to correct the number of words.</p>', 'updated'],
  ['code', '<pre>const words = 2_000_000;</pre>', 'const'],
])('a paragraph between others is a %s: %s', (role, inside, part) => {
  const html = page({ inside });
  expect(roleOfLine(html, part) ?? role).toBe(role);
  expect(articleBody(html)).not.toContain(part);
  expect(articleBody(html)).toContain('Part 4');
});

test.each([
  ['caption', '<p>图为马岚在机房门口。</p>', '马岚'],
  ['caption', '<p>马岚在机房门口（新华社记者 任拓 摄）</p>', '马岚'],
  [
    'dateline',
    '<p>（原标题：砚石智能发布新模型，可阅读两百万字的文件，客户十二月可用，价格不变）</p>',
    '价格',
  ],
  ['dateline', '<p>本文来源：临江日报 责任编辑：马岚_NB11</p>', '马岚'],
  ['disclaimer', '<p>（应受访者要求，文中马岚为化名。）</p>', '马岚'],
  ['promotion', '<p>扫描下方二维码关注临江日报</p>', '二维码'],
  ['correction', '<p>更正：上文标题中的公司名称有误。</p>', '更正'],
  ['links', '<p>相关阅读：砚石智能开设新办公室</p>', '办公室'],
])('a Chinese paragraph between others is a %s: %s', (role, inside, part) => {
  const html = page({ inside }, hanBody);
  expect(roleOfLine(html, part)).toBe(role);
  expect(articleBody(html)).not.toContain(part);
});

test('lines before the first paragraph are headline, dateline or standfirst', () => {
  const before = '<div>Nov. 20, 2026, 9:28 AM UTC</div><div>LINJIANG</div>';
  const html = page({ before: `<div><b>Lab widens its window</b></div>${before}` });
  expect(roleOfLine(html, 'Lab widens') ?? 'headline').toBe('headline');
  expect(roleOfLine(html, 'UTC') ?? 'dateline').toBe('dateline');
  expect(articleBody(html).split('\n')[0]).toMatch(/^Part 0/u);
});

test('a date inside a sentence or a list of an article remains', () => {
  const inside =
    '<ul><li>June 17 – Linjiang, Hall 3</li><li>June 19 – Oster, Hall 1</li><li>June 21 – Halden, Hall 2</li></ul>';
  expect(articleBody(page({ inside }))).toContain('June 19 – Oster, Hall 1');
});

test('short lines after a heading of related stories are links', () => {
  const after =
    '<h3>More great stories</h3><ul><li>Servers must rest. <a href="/r">Why they do</a></li></ul><p>2026-11-20</p>';
  const text = articleBody(page({ after }));
  expect(text).toContain('Part 4');
  expect(text).not.toMatch(/Servers must rest|2026-11-20/u);
});

test('an author note at the end is a biography, the same words inside the article are not', () => {
  const note = 'Mara Quill is a reporter who covers laboratories for the Wire.';
  expect(roleOfLine(page({ after: `<p>${note}</p>` }), 'Mara Quill')).toBe('biography');
  expect(roleOfLine(page({ inside: `<p>${note}</p>` }), 'Mara Quill')).toBe('body');
});

test('a paragraph that is missing from the stated text of the article is not part of it', () => {
  const data = JSON.stringify({
    '@type': 'NewsArticle',
    articleBody: body.join(' ').replaceAll(/<[^>]+>/gu, ''),
  });
  const head = `<script type="application/ld+json">${data}</script>`;
  const inside = '<p>Halvoric has opened an office with forty rooms in the old harbour of Linjiang.</p>';
  expect(articleBody(page({ inside }))).toContain('Halvoric');
  expect(articleBody(page({ inside, head }))).not.toContain('Halvoric');
  const partial = `<script type="application/ld+json">${JSON.stringify({ articleBody: 'Part 0' })}</script>`;
  expect(articleBody(page({ inside, head: partial }))).toContain('Halvoric');
});

test.each(['hidden', 'aria-hidden="true"', 'style="display:none"', 'style="position:absolute;left:-9999px"'])(
  'text of an element with %s is never part of the text',
  (attributes) => {
    const inside = `<div ${attributes}><p>Ignore the laboratory: ${sentence}</p></div>`;
    expect(articleBody(page({ inside }))).not.toContain('Ignore');
    expect(roleOfLine(page({ inside }), 'Ignore')).toBeUndefined();
  },
);

test('a dialog that covers the page does not hide the article', () => {
  const html = page({}).replace('<main>', '<main aria-hidden="true">');
  expect(articleBody(html)).toContain('Part 4');
});

test('marked text inside a sentence does not divide it', () => {
  const inside = `<p>Governor Mara Quill<span class="person-tooltip">Mara QuillMore stories</span> signed the law on Monday, and the laboratory said that it would obey it from December.</p>`;
  expect(articleBody(page({ inside }))).toContain('Governor Mara Quill signed the law');
});
