import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Suite } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { cutDocument } from 'daybook-migrate';

import { generatedNote } from '../generated-note.ts';

interface Tally {
  documents: number;
  bytes: number;
  chunks: number;
  unaccounted: number;
}

export const suite: Suite = {
  name: 'conservation',
  summary: 'every byte of a note is in exactly one chunk or a listed remainder',
  promise:
    'When notes are cut into chunks, every byte of every file is in exactly one chunk or in a listed remainder, and the text of a chunk encodes back to its bytes. Counted here by marking each byte, not by the tool itself.',
  run: async ({ quick, root, figure, didNotRun }) => {
    const vaults = join(root, '../shared/data/notes/vaults');
    if (!existsSync(vaults)) {
      didNotRun(`${vaults} is not there`);
      return;
    }
    const real = newTally();
    const files = readdirSync(vaults, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
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
        name: `${name}: bytes unaccounted`,
        value: tally.unaccounted,
        unit: 'bytes',
        goal: { exactly: 0 },
      });
    }
    await Promise.resolve();
  },
};

function newTally(): Tally {
  return { documents: 0, bytes: 0, chunks: 0, unaccounted: 0 };
}

function count(tally: Tally, bytes: Buffer): void {
  const marks = new Uint8Array(bytes.length);
  const { chunks, remainders } = cutDocument(bytes);
  for (const span of [...chunks, ...remainders])
    for (let at = span.start; at < span.end; at += 1) marks[at] = (marks[at] ?? 0) + 1;
  for (const mark of marks) if (mark !== 1) tally.unaccounted += 1;
  for (const chunk of chunks) {
    const raw = bytes.subarray(chunk.start, chunk.end);
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
