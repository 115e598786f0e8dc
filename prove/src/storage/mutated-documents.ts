import { seededRandom } from '@daybook/evidence';

import { docxOf, odtOf, pdfOf, pptxOf, xlsxOf } from '../../../apps/server/test/document-files.ts';
import { createGif, createPng } from '../../../apps/server/test/pictures.ts';
import { zipOf } from './hostile-archives.ts';
import type { HostileFile } from './hostile-files.ts';

const words = 'The committee met on Thursday and decided to postpone the vote.';

/** One of each format, with text or a picture that is read from it. */
export function validDocuments(jpeg: Buffer): readonly HostileFile[] {
  const file = (name: string, mediaType: string, bytes: Buffer | string): HostileFile => ({
    name,
    mediaType,
    bytes: Buffer.from(bytes as Buffer),
  });
  const octets = 'application/octet-stream';
  return [
    file('valid.pdf', 'application/pdf', pdfOf(words, 'second page', 'third page')),
    file('valid.docx', octets, docxOf(words, 'second paragraph', words.repeat(20))),
    file('valid.xlsx', octets, xlsxOf(words, 42, 'own')),
    file('valid.pptx', octets, pptxOf(words, 'second slide')),
    file('valid.odt', octets, odtOf(words, 'second paragraph')),
    file('valid.html', 'text/html', `<!doctype html><title>t</title><p>${words}<table><td>1`),
    file('valid.png', 'image/png', createPng({ width: 300, height: 200 })),
    file(
      'valid.gif',
      'image/gif',
      createGif({ width: 90, height: 60, indexAt: (x, y) => x ^ y, palette: Buffer.alloc(768, 77) }),
    ),
    file('valid.jpg', 'image/jpeg', jpeg),
  ];
}

/** PDF and picture files are small changes of valid ones; of Office files, half are valid archives of changed parts. */
export function mutatedDocuments(
  valid: readonly HostileFile[],
  count: number,
  seed: number,
): readonly HostileFile[] {
  const random = seededRandom(seed);
  const upTo = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, index) => {
    const { name, mediaType, bytes } = valid[index % valid.length] as HostileFile;
    const inner = /^(?:valid\.docx|valid\.odt)$/.test(name) && random() < 0.5;
    const changed = inner ? repacked(name, upTo) : mutate(bytes, upTo);
    return { name: name.replace('valid', `changed ${index}`), mediaType, bytes: changed };
  });
}

function repacked(name: string, upTo: (limit: number) => number): Buffer {
  const paragraph = (open: string, close: string): Buffer =>
    mutate(Buffer.from(`${open}${words}${close}`.repeat(5)), upTo);
  return name === 'valid.odt'
    ? zipOf([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', method: 0 },
        { name: 'content.xml', content: paragraph('<text:p>', '</text:p>') },
      ])
    : zipOf([
        { name: 'word/document.xml', content: paragraph('<w:p><w:t a="b">', '</w:t></w:p>') },
        { name: 'word/footnotes.xml', content: paragraph('<w:t>', '</w:t>') },
      ]);
}

const telling = [0, 1, 0x7f, 0x80, 0xff, 0x3c, 0x26, 0x28];

function mutate(valid: Buffer, upTo: (limit: number) => number): Buffer {
  let bytes: Buffer = Buffer.from(valid);
  for (let left = 1 + upTo(8); left > 0 && bytes.length > 0; left -= 1) {
    const at = upTo(bytes.length);
    const to = Math.min(bytes.length, at + 1 + upTo(40));
    const change = upTo(7);
    if (change === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << upTo(8));
    else if (change === 1) bytes.fill(telling[upTo(telling.length)] ?? 0, at, Math.min(to, at + 4));
    else if (change === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    else if (change === 3)
      bytes = Buffer.concat([
        bytes.subarray(0, to),
        ...Array(1 + upTo(50)).fill(bytes.subarray(at, to)),
        bytes.subarray(to),
      ]);
    else if (change === 4) bytes = bytes.subarray(0, at + 1);
    else if (change === 5) bytes.copy(bytes, at, upTo(bytes.length));
    else bytes = grownNumber(bytes, at, upTo);
  }
  return bytes;
}

/** A number in the text becomes a large or negative one. */
function grownNumber(bytes: Buffer, at: number, upTo: (limit: number) => number): Buffer {
  const text = bytes.toString('latin1');
  const number = /\d+/.exec(text.slice(at));
  if (number === null) return bytes;
  const other = ['-1', '4294967295', '99999999999', '0', '1e9'][upTo(5)] ?? '';
  const from = at + number.index;
  return Buffer.from(text.slice(0, from) + other + text.slice(from + number[0].length), 'latin1');
}
