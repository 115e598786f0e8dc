import { closeSync, fstatSync, mkdirSync, openSync, readSync, utimesSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { SkippedStatus } from '../sources/source-kind.ts';
import { safeName } from '../sources/unpack-archive.ts';
import type { ExportFolder } from './export-folder.ts';
import { ExportError } from './export-folder.ts';

const blockBytes = 512;
const filesMax = 400_000;
const longNameBytesMax = 64 * 1024;

interface TarHeader {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly modifiedSeconds: number;
}

/** Unpacks a tar archive into a folder. Links, devices and names that lead out of it are listed and not written. */
export function unpackTar(path: string, folder: string, listed: Pick<ExportFolder, 'list'>): void {
  const file = openSync(path, 'r');
  try {
    unpackEntries(file, folder, listed);
  } finally {
    closeSync(file);
  }
}

function unpackEntries(file: number, folder: string, listed: Pick<ExportFolder, 'list'>): void {
  const bytes = fstatSync(file).size;
  let longName: string | null = null;
  let files = 0;
  for (let at = 0; at + blockBytes <= bytes;) {
    const header = readHeader(readBytes(file, at, blockBytes));
    at += blockBytes;
    if (header === null) continue;
    if (at + header.size > bytes) throw new ExportError('the archive ends inside a file');
    const end = at + Math.ceil(header.size / blockBytes) * blockBytes;
    if (header.type === 'L' || header.type === 'x') {
      if (header.size > longNameBytesMax) throw new ExportError('the archive has a name that is too long');
      longName = entryName(header.type, readBytes(file, at, header.size)) ?? longName;
    } else if (header.type !== 'g') {
      files += 1;
      if (files > filesMax) throw new ExportError(`the archive has more than ${filesMax} files`);
      unpackEntry(file, at, { ...header, name: longName ?? header.name }, { folder, listed });
      longName = null;
    }
    at = end;
  }
  if (files === 0) throw new ExportError('it is not a tar archive, or it is empty');
}

function unpackEntry(
  file: number,
  at: number,
  { name, type, size, modifiedSeconds }: TarHeader,
  { folder, listed }: { readonly folder: string; readonly listed: Pick<ExportFolder, 'list'> },
): void {
  const safe = safeName(name);
  const refuse = (status: SkippedStatus, detail: string): void => listed.list(name, status, detail);
  if (type === '5') return;
  if (safe === null) return refuse('unreadable', 'its name points outside the archive');
  if (type === '1' || type === '2') return refuse('link', '');
  if (type !== '0') return refuse('special file', '');
  const path = join(folder, safe);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const target = openSync(path, 'wx', 0o600);
    try {
      copyBytes(file, at, size, target);
    } finally {
      closeSync(target);
    }
    utimesSync(path, modifiedSeconds, modifiedSeconds);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'EISDIR' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG') throw error;
    refuse('unreadable', 'the archive contains this name twice');
  }
}

/** Null for a block of zeros, which ends an archive. */
function readHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null;
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (octal(block, 148, 8) !== sum) throw new ExportError('it is not a tar archive, or it is damaged');
  const prefix = block.toString('latin1', 257, 262) === 'ustar' ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  const type = String.fromCharCode(block[156] ?? 0);
  const size = octal(block, 124, 12);
  if (!Number.isSafeInteger(size) || size < 0) throw new ExportError('the archive is damaged');
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: type === '\0' || type === '7' ? '0' : type,
    size,
    modifiedSeconds: octal(block, 136, 12) || 0,
  };
}

function entryName(type: string, bytes: Buffer): string | null {
  const content = bytes.toString('utf8');
  if (type === 'L') return content.replace(/\0.*$/s, '');
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content)?.[1] ?? null;
}

function text(block: Buffer, at: number, length: number): string {
  return block.toString('utf8', at, at + length).replace(/\0.*$/s, '');
}

/** Numbers too large for octal digits are binary, marked by the first bit. */
function octal(block: Buffer, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0) return Number(block.readBigUInt64BE(at + length - 8));
  return Number.parseInt(text(block, at, length).trim() || '0', 8);
}

function readBytes(file: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  const size = readSync(file, buffer, 0, length, at);
  return buffer.subarray(0, size);
}

function copyBytes(file: number, from: number, size: number, target: number): void {
  const buffer = Buffer.alloc(Math.min(1024 * 1024, size));
  for (let done = 0; done < size;) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, size - done), from + done);
    if (read === 0) throw new ExportError('the archive ends inside a file');
    writeSync(target, buffer, 0, read);
    done += read;
  }
}
