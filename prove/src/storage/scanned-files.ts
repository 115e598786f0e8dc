import { knownBytes } from '@daybook/local-clamd';

import { encryptedArchive, nestedArchive } from '../../../apps/server/src/storage/inspection/probe-files.ts';

export interface ScannedFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** With malware, or not readable for a scanner: it must not become clean. */
  readonly isSuspect: boolean;
}

const megabyte = 1024 ** 2;

/** Malware at the beginning, middle and end of files of each size, packed and nested, beyond limits, and harmless files. */
export function* scannedFiles(sizes: readonly number[], depths: readonly number[]): Generator<ScannedFile> {
  for (const size of sizes) {
    const bytes = size * megabyte;
    for (const [place, at] of Object.entries({ beginning: 0, middle: 0.5, end: 1 })) {
      const before = Math.floor((bytes - knownBytes.length) * at);
      const padded = Buffer.alloc(bytes, 'padding ');
      knownBytes.copy(padded, before);
      yield { name: `${size} MB, ${place}`, bytes: padded, isSuspect: true };
      yield { name: `${size} MB, ${place}, packed`, bytes: nestedArchive(1, padded), isSuspect: true };
    }
    yield { name: `${size} MB, harmless`, bytes: Buffer.alloc(bytes, 'harmless '), isSuspect: false };
  }
  for (const depth of depths) {
    yield { name: `depth ${depth}`, bytes: nestedArchive(depth, knownBytes), isSuspect: true };
    yield { name: `depth ${depth}, harmless`, bytes: nestedArchive(depth), isSuspect: false };
  }
  yield { name: 'encrypted', bytes: encryptedArchive(), isSuspect: true };
  yield { name: 'empty', bytes: Buffer.alloc(0), isSuspect: false };
}
