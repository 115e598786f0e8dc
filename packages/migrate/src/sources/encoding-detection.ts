import { analyse } from 'chardet';

import { isPlausible } from './encoding-plausibility.ts';
import type { LegacyEncoding } from './legacy-encoding.ts';
import { legacyEncodings } from './legacy-encoding.ts';

/** One way to read bytes that are no UTF-8. */
export interface EncodingGuess {
  readonly encoding: LegacyEncoding;
  /** Between 0 and 1, as the detector sees it. */
  readonly confidence: number;
}

/** The detector's names where they differ; the larger set replaces its subsets, as in browsers. */
const renamed: Readonly<Record<string, LegacyEncoding>> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
  'tis-620': 'windows-874',
  gbk: 'gb18030',
  gb2312: 'gb18030',
};
const severalBytes: ReadonlySet<LegacyEncoding> = new Set([
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
] as const);
/** Distinguished by the words around their few accented letters. */
const latin: ReadonlySet<LegacyEncoding> = new Set([
  'windows-1250',
  'windows-1252',
  'windows-1254',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
] as const);
const sampleBytes = 64 * 1024;
/** Below these the user chooses. The detector's scale is lower where every byte is a character. */
const sure = {
  severalBytes: { confidence: 0.6, lead: 0.2 },
  oneByte: { confidence: 0.25, lead: 0.08 },
} as const;
/** A guess is never certain. */
const guessMax = 0.99;
/** So few bytes beyond ASCII say little: only one plausible reading settles it. */
const tellingBytesMin = 40;

/** Ways to read the bytes without an error, the likeliest first; `isSure` where the first is the only sensible one. */
export function detectEncoding(bytes: Buffer): {
  readonly guesses: readonly EncodingGuess[];
  readonly isSure: boolean;
} {
  const sample = telling(bytes);
  const guesses = new Map<LegacyEncoding, number>();
  for (const { name, confidence } of analyse(sample)) {
    const encoding = legacyName(name);
    if (encoding === null || confidence === 0 || guesses.has(encoding)) continue;
    if (readsWell(bytes, encoding)) guesses.set(encoding, Math.min(confidence / 100, guessMax));
  }
  const latin2 = guesses.get('iso-8859-2');
  if (latin2 !== undefined && readsWell(bytes, 'windows-1250')) guesses.set('windows-1250', latin2);
  // Too little text for the detector can still be read by a person.
  for (const encoding of [...severalBytes, 'windows-1252'] as const) {
    if (!guesses.has(encoding) && readsWell(bytes, encoding)) guesses.set(encoding, 0.01);
  }
  const ranked = [...guesses]
    .map(([encoding, confidence]) => ({ encoding, confidence, text: decode(sample, encoding) }))
    .sort((one, other) => other.confidence - one.confidence || order(one) - order(other));
  const sensible = ranked.filter(({ encoding, text }) => isPlausible(text, encoding));
  // The detector takes the older of these two wherever it can; people who wrote notes had Windows.
  const isWindows = sensible.some(({ encoding }) => encoding === 'windows-1250');
  const plausible = sensible.filter(({ encoding }) => encoding !== 'iso-8859-2' || !isWindows);
  const [first] = plausible;
  const isSure = first !== undefined && isDecided(first, plausible, sample);
  const likely = [...plausible, ...ranked.filter((one) => !plausible.includes(one))];
  return { guesses: likely.map(({ encoding, confidence }) => ({ encoding, confidence })), isSure };
}

function order({ encoding }: EncodingGuess): number {
  return legacyEncodings.indexOf(encoding);
}

function isDecided(
  first: EncodingGuess & { readonly text: string },
  plausible: readonly (EncodingGuess & { readonly text: string })[],
  sample: Buffer,
): boolean {
  // Another encoding that reads the same characters is no rival.
  const rivals = plausible.filter(({ text }) => text !== first.text);
  const [rival] = rivals;
  if (rival === undefined) return !severalBytes.has(first.encoding) || first.confidence >= 0.1;
  const limit = severalBytes.has(first.encoding) ? sure.severalBytes : sure.oneByte;
  if (first.confidence < limit.confidence || first.confidence - rival.confidence < limit.lead) return false;
  const tellingBytes = sample.filter((byte) => byte >= 0x80).length;
  if (tellingBytes >= tellingBytesMin) return true;
  // A few accents among Latin letters: Western by far the most often, and never a language of many-byte letters.
  const isSparse = tellingBytes < sample.length * 0.2;
  const isLatin = rivals.every(({ encoding, confidence }) => latin.has(encoding) || confidence <= 0.1);
  return (
    isSparse &&
    isLatin &&
    (first.encoding === 'windows-1252' || (latin.has(first.encoding) && tellingBytes >= 8))
  );
}

export function legacyName(name: string): LegacyEncoding | null {
  const wanted = name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^cp(?=125)/, 'windows-');
  const known = legacyEncodings.find((encoding) => encoding.replaceAll('_', '-') === wanted);
  return known ?? renamed[wanted] ?? null;
}

/** Every byte is part of a character, and none of them is a control character that no one types. */
export function readsWell(bytes: Buffer, encoding: LegacyEncoding): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return !/[\u0080-\u009f\ue000-\uf8ff\ufffd]/.test(text);
  } catch {
    return false;
  }
}

function decode(bytes: Uint8Array, encoding: LegacyEncoding): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** The lines that are not plain ASCII: the others say nothing about the encoding and drown those that do. */
function telling(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < sampleBytes;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, Math.min(end, start + sampleBytes));
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line);
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}
