import { describe, expect, test } from 'vitest';

import { releaseSummary } from './release-notes.ts';
import { writeByRule } from './write-by-rule.ts';

const github = `What's Changed
fix: handle empty batches by @mara in #4411
feat: stream partial answers of the Veltrane server by @tobias in #4402
docs: correct a typo by @mara in #4399
chore: bump quillfish from 2.1 to 2.2 by @dependabot[bot] in #4398
feat!: drop support for Halvoric 3 (#4390)
New Contributors
@tobias made their first contribution in #4402
Full Changelog: https://github.example/veltrane/lumo/compare/v2.3.0...v2.4.0`;

const base = {
  language: 'en',
  sourceName: 'Release notes from lumo',
  url: 'https://github.com/veltrane/lumo/releases/tag/v2.4.0',
};

describe('release notes', () => {
  test('are summarized by version, name and the two most important changes', () => {
    expect(releaseSummary({ ...base, title: 'v2.4.0', text: github })).toBe(
      'Version 2.4.0 of lumo: stream partial answers of the Veltrane server; drop support for Halvoric 3.',
    );
  });

  test('with headings: new features come before corrections and documentation', () => {
    const text = [
      'Documentation',
      'Explain how servers are restarted',
      'Bug fixes',
      'Fix a leak in the parser (#12)',
      'Fix the order of log lines (#13)',
      'Features',
      'Add a cache for answers, which saves 40 % of the requests (#14)',
      'Security',
      'Reject unsigned plugins (CVE-2026-1234)',
    ].join('\n');
    expect(releaseSummary({ ...base, title: 'Lumo 2.4 released', text })).toBe(
      'Version 2.4 of Lumo: add a cache for answers, which saves 40 % of the requests; Reject unsigned plugins (CVE-2026-1234).',
    );
  });

  test('in Chinese have a Chinese form', () => {
    const text =
      '新功能\n新增流式输出，首字延迟降低40%\n支持分层记忆\n问题修复\n修复解析器内存泄漏\n更新文档中的链接';
    expect(
      releaseSummary({
        ...base,
        language: 'zh',
        sourceName: '砚石',
        url: 'https://yan.example/a',
        title: '砚石助手 v3.2.0 发布',
        text,
      }),
    ).toBe('砚石助手 3.2.0 版：新增流式输出，首字延迟降低40%；支持分层记忆。');
  });

  test.each([
    ['jj v0.41.0 is out', 'jj'],
    ['Release v0.41.0 · Quill/jj', 'jj'],
    ['StarCraft II 0.41.0 Patch Notes', 'StarCraft II'],
    ['Announcing Gram 0.41.0', 'Gram'],
  ])('are named as in their title: %s', (title, name) => {
    expect(releaseSummary({ ...base, title, text: github })).toMatch(
      new RegExp(`^Version 0\\.41\\.0 of ${name}: `, 'u'),
    );
  });

  test('become the summary of their item', () => {
    const copy = writeByRule({ ...base, title: 'Lumo v2.4.0', text: github, isReleaseNotes: true });
    expect(copy.summary).toMatch(/^Version 2\.4\.0 of Lumo: /u);
  });
});

const article = [
  'Veltrane released Lumo 2.4 on Monday, and the company said that the model answers twice as fast as the old one.',
  'The new version costs 3 dollars for a million words. Customers in Bergen have tested it since March. It runs on 40 servers.',
  'Halvoric, a rival, sells a similar model. Analysts expect lower prices. The market has grown by 12 percent since 2024.',
].join('\n');

test.each([
  ['an article about a version', 'Veltrane releases Lumo 2.4', article],
  ['a list without a version in its title', 'Ten things that Veltrane changed', github],
  ['a list under a date', 'Forecast for 06.09.2026', github],
  ['a list under a figure', 'Veltrane raises $2.4 billion', github],
  ['a commit', 'Bump quillfish from 2.1.0 to 2.2.0', github],
])('%s has no form of release notes', (_, title, text) => {
  expect(releaseSummary({ ...base, title, text, isReleaseNotes: true })).toBeNull();
});

test('a list without an important change has no form of release notes', () => {
  const text =
    'docs: correct a typo in the guide\nchore: bump quillfish to 2.2\nci: cache the packages of the build';
  expect(releaseSummary({ ...base, title: 'Lumo 2.4.1', text })).toBeNull();
});
