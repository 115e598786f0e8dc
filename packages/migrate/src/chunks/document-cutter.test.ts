import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Chunk } from './chunk.ts';
import { assertConserved } from './conservation.ts';
import { cutDocument } from './document-cutter.ts';

const line = fc.oneof(
  fc.constantFrom(
    '',
    '# One',
    '## Two',
    '- item',
    '  - nested',
    '> quote',
    '```',
    '~~~',
    '---',
    '1. first',
    '\tcode',
  ),
  fc.constantFrom(
    '2024-03-05',
    'Setext',
    '======',
    '<div>',
    '<!-- open',
    '| a | b |',
    '\uFEFFmark',
    'ends with:',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ minLength: 150, maxLength: 400 }),
);
const document = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom('\n', '\r\n', '\r', '\n\n'))
  .map(([lines, ending]) => lines.join(ending));

function reassemble(bytes: Buffer): Buffer {
  const { chunks, remainders } = cutDocument(bytes);
  const spans = [...chunks.flatMap((chunk) => chunk.spans), ...remainders].toSorted(
    (one, other) => one.start - other.start,
  );
  return Buffer.concat(spans.map(({ start, end }) => bytes.subarray(start, end)));
}

function bytesOf(bytes: Buffer, { spans }: Chunk): Buffer {
  return Buffer.concat(spans.map(({ start, end }) => bytes.subarray(start, end)));
}

describe('conservation', () => {
  it('every byte of a document is in exactly one chunk or listed remainder', () => {
    fc.assert(
      fc.property(document, (text) => {
        const bytes = Buffer.from(text);
        expect(reassemble(bytes).equals(bytes)).toBe(true);
        const { chunks } = cutDocument(bytes);
        for (const chunk of chunks) {
          expect(bytesOf(bytes, chunk).toString()).toBe(chunk.text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('any bytes at all are conserved', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (raw) => {
        const bytes = Buffer.from(raw);
        expect(reassemble(bytes).equals(bytes)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('sections can be combined in any way, and every byte still occurs once', () => {
    fc.assert(
      fc.property(document, fc.nat(4), (text, modulus) => {
        const bytes = Buffer.from(text);
        const cut = cutDocument(bytes, {
          group: (sections) =>
            [...Map.groupBy(sections.keys(), (at) => at % (modulus + 1)).values()].map((places) => ({
              sections: places,
              headings: [],
              part: 'section',
            })),
        });
        for (const chunk of cut.chunks) expect(bytesOf(bytes, chunk).toString()).toBe(chunk.text);
      }),
    );
  });

  it('a gap, an overlap and a missing tail are refused', () => {
    expect(() => assertConserved(4, [{ start: 0, end: 2 }])).toThrow(/2 to 4/);
    expect(() =>
      assertConserved(4, [
        { start: 0, end: 1 },
        { start: 2, end: 4 },
      ]),
    ).toThrow(/1 to 2/);
    expect(() =>
      assertConserved(4, [
        { start: 0, end: 3 },
        { start: 2, end: 4 },
      ]),
    ).toThrow(/2 to 3/);
  });

  it('a document longer than the parser takes at once is conserved and cut at the same headings', () => {
    const parts = Array.from({ length: 3000 }, (_, at) => `## Part ${at}\n\nText of part ${at}.\n`);
    const bytes = Buffer.from(parts.join('\n'));
    const { chunks } = cutDocument(bytes);
    expect(chunks.map((chunk) => chunk.headings)).toEqual(parts.map((_, at) => [`Part ${at}`]));
  });
});

describe('encodings', () => {
  const text = '# Café\n\nNaïve notes — 思考。\n';
  it.each([
    ['UTF-8', Buffer.from(text), []],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), ['byte-order-mark']],
    ['UTF-16 little endian', Buffer.from(`\uFEFF${text}`, 'utf16le'), ['byte-order-mark']],
    ['UTF-16 big endian', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), ['byte-order-mark']],
  ])('%s is read as the same text', (_name, bytes, remainders) => {
    const cut = cutDocument(bytes);
    expect(cut.chunks.map((chunk) => [chunk.headings, chunk.text])).toEqual([[['Café'], text]]);
    expect(cut.remainders.map(({ kind }) => kind)).toEqual(remainders);
  });

  it('half a UTF-16 unit at the end is listed, not lost', () => {
    const bytes = Buffer.concat([Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from([0x41])]);
    expect(cutDocument(bytes).remainders.map(({ kind }) => kind)).toEqual([
      'byte-order-mark',
      'half-character',
    ]);
  });

  it('Latin text in one byte a character keeps every character', () => {
    expect(cutDocument(Buffer.from([0x63, 0x61, 0x66, 0xe9])).chunks[0]?.text).toBe('café');
  });

  it('text that could be read in more than one way is not read on a guess', () => {
    const cut = cutDocument(Buffer.from([0xc2, 0xf2, 0xb2, 0xcb]));
    expect([cut.chunks, cut.remainders]).toEqual([[], [{ kind: 'encoding-unclear', start: 0, end: 4 }]]);
  });

  it('a file that is not text is one listed remainder', () => {
    const cut = cutDocument(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 7]));
    expect([cut.chunks, cut.remainders]).toEqual([[], [{ kind: 'binary', start: 0, end: 9 }]]);
  });
});

describe('where it cuts', () => {
  const cut = (text: string): readonly string[] =>
    cutDocument(Buffer.from(text)).chunks.map((chunk) => chunk.text);
  const long = 'A sentence that says something about one subject at some length. '.repeat(4).trim();

  it('sections with text of their own stay apart however short they are', () => {
    expect(cut('# Mission\nBuild.\n\n# Goals\nRun.\n')).toEqual(['# Mission\nBuild.\n\n', '# Goals\nRun.\n']);
  });

  it('a heading without text goes with what follows it, and at the end with what went before', () => {
    expect(cut('# Life\n## Goals\nRun.\n## Later\n')).toEqual(['# Life\n## Goals\nRun.\n## Later\n']);
  });

  it('long paragraphs are chunks of their own, short ones join', () => {
    expect(cut(`${long}\n\n${long}\n\nShort.\n`)).toEqual([`${long}\n\n`, `${long}\n\nShort.\n`]);
  });

  it('a paragraph that ends with a colon keeps what it announces', () => {
    expect(cut(`${long}, namely:\n\n${long}\n`)).toHaveLength(1);
  });

  it('never inside a code fence, however long, closed or not', () => {
    const code = `\`\`\`sh\n${'# not a heading\n\n'.repeat(4000)}`;
    expect(cut(`${code}\`\`\`\n`)).toHaveLength(1);
    expect(cut(code)).toHaveLength(1);
    expect(cut(`- item\n\n  ${code.replaceAll('\n', '\n  ')}\n  \`\`\`\n\n# After\n\nText.\n`)).toHaveLength(
      2,
    );
  });

  it('dates on lines of their own begin the entries of a journal', () => {
    const entries = cutDocument(Buffer.from('2024-03-05\nRan far.\n\nMarch 6, 2024\nSlept.\n')).chunks;
    expect(entries.map((entry) => entry.headings)).toEqual([['2024-03-05'], ['March 6, 2024']]);
  });

  it('front matter is a listed remainder with its tags, and the chunk itself in a note without other text', () => {
    const cutNote = cutDocument(Buffer.from('---\ntags: [health, run]\n---\nText.\n'));
    expect([cutNote.frontMatter?.tags, cutNote.remainders.map(({ kind }) => kind)]).toEqual([
      ['health', 'run'],
      ['front-matter'],
    ]);
    expect(cut('---\nrating: 5\n---\n')).toEqual(['---\nrating: 5\n---\n']);
  });
});
