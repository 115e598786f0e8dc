import { expect, test } from 'vitest';

import { extractArticle } from './extract-article.ts';
import { textLanguage } from './text-language.ts';

const paragraph =
  'The laboratory said on Monday that its new model reads documents of two million words, twice as many as the model before, and that it will be offered to all customers in the first week of December. ';
const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Lab widens its window</title>${head}</head><body><header><nav><a href="/">Home</a></nav></header><main><article><h1>Lab widens its window</h1>${body}</article></main></body></html>`;
const article = `<p>${paragraph.repeat(2)}</p><p>${paragraph}</p><p>${paragraph.repeat(2)}</p>`;
const url = 'https://news.lab.example/2026/11/window?utm_source=rss';

test('extracts the paragraphs of an article, without navigation, notices and scripts', () => {
  const html = page(
    `${article}<div class="newsletter-signup"><p>Sign up for our newsletter to get news in your inbox</p></div><script>track()</script>`,
  );
  const extracted = extractArticle(html, url, null);
  expect(extracted).toMatchObject({ ok: true, value: { language: 'en' } });
  const text = extracted.ok ? extracted.value.text : '';
  expect(text.split('\n')).toHaveLength(3);
  expect(text).not.toMatch(/newsletter|track|Home|</u);
});

test('refuses a consent page', () => {
  const html =
    '<html><head><title>Before you continue</title></head><body><p>We value your privacy. We and our 812 partners use cookies. Accept all or reject all, or manage preferences.</p></body></html>';
  expect(extractArticle(html, url, null)).toEqual({ ok: false, reason: 'consent page' });
});

test('refuses a challenge page', () => {
  const html =
    '<html><head><title>Just a moment...</title></head><body><p>Checking your browser before accessing lab.example. Ray ID: 83f</p></body></html>';
  expect(extractArticle(html, url, null)).toEqual({ ok: false, reason: 'challenge page' });
});

test('refuses the beginning of an article behind a paywall', () => {
  const marked = page(
    `<p>${paragraph.repeat(2)}</p>`,
    '<script type="application/ld+json">{"isAccessibleForFree": "False"}</script>',
  );
  expect(extractArticle(marked, url, null)).toEqual({ ok: false, reason: 'paywall' });
  const worded = page(
    `<p>${paragraph.repeat(2)}</p><p>Subscribe to continue reading. Already a subscriber?</p>`,
  );
  expect(extractArticle(worded, url, null)).toEqual({ ok: false, reason: 'paywall' });
});

test('finds no article on a page with one or two lines', () => {
  expect(extractArticle(page('<p>Watch the video.</p>'), url, null)).toEqual({
    ok: false,
    reason: 'no article',
  });
});

test.each([
  ['/2026/11/window?utm_source=x', 'https://news.lab.example/2026/11/window'],
  ['https://www.lab.example/window', 'https://www.lab.example/window'],
  ['https://elsewhere.example/window', null],
  ['/', null],
  ['javascript:alert(1)', null],
])('reads the canonical address %s as %s', (href, expected) => {
  const extracted = extractArticle(page(article, `<link rel="canonical" href="${href}">`), url, null);
  expect(extracted.ok && extracted.value.canonicalUrl).toBe(expected);
});

test.each([
  ['OpenAI 发布新模型，支持更长的上下文', 'en', 'zh'],
  ['新しいモデルを発表しました', null, 'ja'],
  ['새로운 모델을 공개했다', null, 'ko'],
  ['Google launches new Gemini', 'en', 'en'],
  ['Google launches new Gemini', 'en-US', 'en'],
  [
    'Das Labor hat am Montag ein neues Modell vorgestellt, das deutlich längere Texte lesen kann als sein Vorgänger.',
    'en',
    'de',
  ],
  ['', 'zh-CN', 'zh'],
  ['GPT-6', null, null],
])('detects the language of "%s", stated as %s, as %s', (text, stated, expected) => {
  expect(textLanguage(text, stated)).toBe(expected);
});
