import { describe, expect, it } from 'vitest';

import { keepMarkdown } from './keep-note.ts';

const times = { createdTimestampUsec: 1_690_425_937_272_000, userEditedTimestampUsec: 1_582_934_400_000_000 };
const markdown = (note: object): string | undefined =>
  keepMarkdown(Buffer.from(JSON.stringify(note)))?.markdown;

describe('a note of Keep', () => {
  it('becomes Markdown with its text, labels, dates and files', () => {
    const note = {
      ...times,
      title: 'A "title"',
      color: 'BLUE',
      isPinned: true,
      isTrashed: false,
      textContent: 'Text.\n\nMore.',
      labels: [{ name: 'with spaces' }],
      attachments: [{ filePath: 'a.png', mimetype: 'image/png' }],
      annotations: [{ url: 'https://example.org', title: 'Page', description: 'About' }],
    };
    expect(markdown(note)).toBe(
      [
        '---',
        'title: "A \\"title\\""',
        'tags: ["with spaces"]',
        'created: "2023-07-27T02:45:37Z"',
        'modified: "2020-02-29T00:00:00Z"',
        'keep: {"color":"BLUE","isPinned":true}',
        '---',
        '',
        'Text.\n\nMore.',
        '',
        '- [Page](https://example.org)\n  About',
        '',
        '![[a.png]]',
        '',
      ].join('\n'),
    );
  });

  it('keeps a check list with what is done', () => {
    const listContent = [
      { text: 'One', isChecked: true },
      { text: 'Two', isChecked: false },
    ];
    expect(markdown({ ...times, title: '', listContent })).toContain('- [x] One\n- [ ] Two\n');
  });

  it('differs from other JSON and from broken files', () => {
    expect(markdown({ title: 'x', textContent: 'y', createdTimestampUsec: 1 })).toBeUndefined();
    expect(keepMarkdown(Buffer.from('{"title": '))).toBeNull();
    expect(keepMarkdown(Buffer.from('[]'))).toBeNull();
    expect(keepMarkdown(Buffer.from('{}'))).toBeNull();
  });
});
