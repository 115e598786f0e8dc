import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { cutDocument } from 'daybook-migrate';

import { encodedKinds, encodedNote } from '../encoded-notes.ts';
import { exportFigures } from '../export-conservation.ts';
import { generatedNote } from '../generated-note.ts';

interface Tally {
  documents: number;
  bytes: number;
  chunks: number;
  unaccounted: number;
}

export const suite: Suite = {
  name: 'conservation',
  nightly: true,
  summary:
    'Every byte of a note ends up in exactly one chunk or in a listed remainder, in twelve text encodings, and every text of an export in a note, an attachment or a remainder.',
  headline: 'generated: bytes',
  promise:
    'Notes are cut into chunks. Every byte of every file is in exactly one chunk or in a listed remainder, and the text of a chunk encodes back to its bytes; the suite marks each byte itself and does not use the tool’s own check. Notes in twelve encodings, written by an independent encoder, are read without a declared encoding and compared character by character. Every letter and digit of real exports of ten programs is in a note, a listed attachment or a listed remainder, in its order. Code that shares nothing with the migration extracts these texts, and removing words from the results proves that the check notices a loss.',
  measuresNoTime: true,
  dataSets: ['notes/vaults', 'notes/exports'],
  run: async (context) => {
    const { quick, data, figure } = context;
    const real = newTally();
    const files = readdirSync(data('notes/vaults'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    for (const [at, entry] of files.entries()) {
      if (!quick || at % 10 === 0) count(real, readFileSync(join(entry.parentPath, entry.name)));
    }
    const generated = newTally();
    const random = seededRandom(2026);
    for (let at = 0; at < (quick ? 500 : 10_000); at += 1) count(generated, generatedNote(random));
    for (const [name, tally] of Object.entries({ vaults: real, generated })) {
      figure({ name: `${name}: documents`, value: tally.documents, unit: 'documents' });
      figure({ name: `${name}: bytes`, value: tally.bytes, unit: 'bytes' });
      figure({ name: `${name}: chunks`, value: tally.chunks, unit: 'chunks' });
      figure({
        name: `${name}: bytes in no chunk and no remainder`,
        value: tally.unaccounted,
        unit: 'bytes',
        goal: { exactly: 0 },
      });
    }
    encodingFigures(quick ? 20 : 400, figure);
    await exportFigures(context);
  },
};

/** Notes written by an independent encoder are read back and compared character by character. */
function encodingFigures(notes: number, figure: SuiteContext['figure']): void {
  const random = seededRandom(1999);
  let [characters, different, unread] = [0, 0, 0];
  for (const kind of encodedKinds) {
    for (let at = 0; at < notes; at += 1) {
      const { text, bytes } = encodedNote(kind, random);
      const { chunks, decoding } = cutDocument(bytes);
      characters += text.length;
      if (decoding.kind !== 'text') unread += 1;
      else different += countDifferent(text, chunks.map((chunk) => chunk.text).join(''));
    }
  }
  figure({ name: 'encodings', value: encodedKinds.length, unit: 'encodings', goal: { atLeast: 10 } });
  figure({ name: 'encodings: characters', value: characters, unit: 'characters' });
  figure({
    name: 'encodings: characters read wrongly',
    value: different,
    unit: 'characters',
    goal: { exactly: 0 },
  });
  figure({
    name: 'encodings: notes that need an answer',
    value: (100 * unread) / (notes * encodedKinds.length),
    unit: '% of notes',
    goal: { atMost: 5 },
  });
}

function countDifferent(one: string, other: string): number {
  let count = Math.abs(one.length - other.length);
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) if (one[at] !== other[at]) count += 1;
  return count;
}

function newTally(): Tally {
  return { documents: 0, bytes: 0, chunks: 0, unaccounted: 0 };
}

function count(tally: Tally, bytes: Buffer): void {
  const marks = new Uint8Array(bytes.length);
  const { chunks, remainders } = cutDocument(bytes);
  for (const span of [...chunks.flatMap((chunk) => chunk.spans), ...remainders])
    for (let at = span.start; at < span.end; at += 1) marks[at] = (marks[at] ?? 0) + 1;
  for (const mark of marks) if (mark !== 1) tally.unaccounted += 1;
  for (const chunk of chunks) {
    const raw = Buffer.concat(chunk.spans.map(({ start, end }) => bytes.subarray(start, end)));
    if (!encodings(chunk.text).some((encoded) => encoded.equals(raw))) tally.unaccounted += raw.length;
  }
  tally.documents += 1;
  tally.bytes += bytes.length;
  tally.chunks += chunks.length;
}

function encodings(text: string): readonly Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le');
  return [Buffer.from(text), utf16, Buffer.from(utf16).swap16(), windows1252(text)];
}

const decoder = new TextDecoder('windows-1252');
const windowsBytes = new Map(
  Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
);

function windows1252(text: string): Buffer {
  return Buffer.from(text.split('').map((character) => windowsBytes.get(character) ?? 0));
}
