import type { FileHandle } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { FileContent } from '../folders/entry.ts';
import { withNamelessFile } from './nameless-file.ts';
import { memoryOfNode, memoryOfPoppler, nodeProgram } from './read-content-text.ts';
import { runSandboxed } from './sandbox.ts';

/** The longer side of a small picture. */
const sidePixels = 320;
/** A small picture has about 15 kB. */
export const pictureBytesMax = 64 * 1024;
const seconds = 20;
/** Of the page that a picture is put on: decoded rows of pictures with transparency. */
const pageBytesMax = 128 * 1024 ** 2;

/** How a small picture of a content is drawn; null: it has none. The bytes decide. */
export type PictureFormat = 'pdf' | 'image';

export function pictureFormatOf({
  detectedMediaType,
}: Pick<FileContent, 'detectedMediaType'>): PictureFormat | null {
  if (detectedMediaType === 'application/pdf') return 'pdf';
  return drawnImages.has(detectedMediaType ?? '') ? 'image' : null;
}

/** What the program of `picturePage` reads. Poppler has no decoder for WebP. */
const drawnImages: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png']);

/**
 * The first page or the picture as a small JPEG; null if its program cannot draw it. Poppler draws both: a picture is first
 * put on a page by a program of its own. Each of them runs in a sandbox.
 */
export async function drawPicture(
  content: FileHandle,
  format: PictureFormat,
  signal: AbortSignal,
): Promise<Buffer | null> {
  if (format === 'pdf') return drawFirstPage(content, signal);
  const program = nodeProgram(fileURLToPath(new URL('./program/draw-page.ts', import.meta.url)), []);
  const limits = { seconds, memoryBytes: memoryOfNode, outputBytes: pageBytesMax };
  const page = await runSandboxed(program, content, limits, signal);
  if (page.ended !== 'done') return null;
  return withNamelessFile([page.output], page.output.length, (file) => drawFirstPage(file, signal));
}

async function drawFirstPage(pdf: FileHandle, signal: AbortSignal): Promise<Buffer | null> {
  const args = '-q -jpeg -jpegopt quality=75 -f 1 -l 1 -singlefile -scale-to'.split(' ');
  const program = { file: '/usr/bin/pdftoppm', args: [...args, String(sidePixels), '-'], readable: [] };
  const limits = { seconds, memoryBytes: memoryOfPoppler, outputBytes: pictureBytesMax };
  const drawn = await runSandboxed(program, pdf, limits, signal);
  return drawn.ended === 'done' && isJpeg(drawn.output) ? drawn.output : null;
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xff_d8;
}
