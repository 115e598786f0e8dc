import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { decodeText } from './program/plain-text.ts';
import type { SandboxOutcome, SandboxedProgram } from './sandbox.ts';
import { runSandboxed } from './sandbox.ts';
import type { DocumentFormat } from './text-format.ts';

/** The stored text of one content, in UTF-8. */
export const textBytesMax = 1_000_000;
/** Larger documents are not read; of larger plain texts, the beginning. */
export const documentBytesMax = 64 * 1024 ** 2;
export const plainBytesMax = 4 * 1024 ** 2;

/** V8 reserves half a gigabyte for machine code, which RLIMIT_DATA counts. */
export const memoryOfNode = 1024 ** 3;
export const memoryOfPoppler = 512 * 1024 ** 2;
const limits = { seconds: 20, outputBytes: textBytesMax + 3 };

export type ReadText =
  | { readonly ended: 'done'; readonly text: string; readonly isTruncated: boolean }
  | Extract<SandboxOutcome, { readonly ended: 'failed' }>;

/** The text of the document in an open file, read in a sandbox. */
export async function readDocumentText(
  content: FileHandle,
  format: DocumentFormat,
  signal: AbortSignal,
): Promise<ReadText> {
  const memoryBytes = format === 'pdf' ? memoryOfPoppler : memoryOfNode;
  const outcome = await runSandboxed(programFor(format), content, { ...limits, memoryBytes }, signal);
  return outcome.ended === 'failed' ? outcome : limitedText(outcome.output);
}

/** Without a sandbox: the runtime decodes the bytes, and no parser interprets them. */
export function readPlainText(content: Uint8Array): ReadText {
  return limitedText(Buffer.from(decodeText(content)));
}

function limitedText(utf8: Buffer): ReadText {
  const isTruncated = utf8.length > textBytesMax;
  // Without a character that the limit cuts.
  const text = new TextDecoder('utf-8').decode(utf8.subarray(0, textBytesMax), { stream: isTruncated });
  return { ended: 'done', text: cleanText(text), isTruncated };
}

function programFor(format: DocumentFormat): SandboxedProgram {
  if (format === 'pdf')
    return { file: '/usr/bin/pdftotext', args: ['-enc', 'UTF-8', '-q', '-', '-'], readable: [] };
  return nodeProgram(fileURLToPath(new URL('./program/extract-text.ts', import.meta.url)), [format]);
}

export function nodeProgram(file: string, args: readonly string[]): SandboxedProgram {
  return {
    file: process.execPath,
    args: ['--max-old-space-size=384', '--no-warnings', file, ...args],
    readable: [dirname(process.execPath), dirname(file), ...packagesAbove(file)],
  };
}

/** The folders in which Node looks for packages; a bundle contains its own. */
function packagesAbove(file: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    folders.push(join(folder, 'node_modules'));
  return folders.filter((folder) => existsSync(folder));
}

/** More marks on one letter are no writing, and sorting them takes quadratic time. */
const excessMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Lines without trailing blanks, at most one empty line after another, no control characters except \t, \n and \f. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n\f]|[\ufffe\uffff]|\ud800/gu, '')
    .replaceAll(excessMarks, '$1')
    .split('\n')
    .map(withoutTrailingBlanks)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .normalize('NFC');
}

/** Not by an expression: one that looks for blanks before a line's end takes quadratic time for a line of blanks. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0xa0 || code === 0x3000;
}
