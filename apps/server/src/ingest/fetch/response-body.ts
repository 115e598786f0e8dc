import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';

import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';

export type BodyFault = 'too large' | 'unusable encoding';

/** Buffers at most `bytesMax`, whatever the server sends. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Result<Buffer, 'too large'>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bytesMax) return refused('too large');
    chunks.push(chunk);
  }
  return accepted(Buffer.concat(chunks, size));
}

const encodingsMax = 2;

/** Decodes Content-Encoding; the bound applies to the decoded bytes. */
export async function decompress(
  raw: Buffer,
  contentEncoding: string | null,
  bytesMax: number,
): Promise<Result<Buffer, BodyFault>> {
  const encodings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (encodings.length > encodingsMax) return refused('unusable encoding');
  let bytes = raw;
  for (const encoding of encodings.toReversed()) {
    const step = await decompressOnce(bytes, encoding, bytesMax);
    if (!step.ok) return step;
    bytes = step.value;
  }
  // Files such as feed.xml.gz are served as they are, without Content-Encoding.
  return isGzip(bytes) ? decompressOnce(bytes, 'gzip', bytesMax) : accepted(bytes);
}

async function decompressOnce(
  bytes: Buffer,
  encoding: string,
  bytesMax: number,
): Promise<Result<Buffer, BodyFault>> {
  // A truncated body is decoded as far as possible, as in browsers.
  const options: ZlibOptions = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    switch (encoding) {
      case 'gzip':
      case 'x-gzip':
        // Labelled as compressed, but it is not.
        return accepted(isGzip(bytes) ? await promisify(gunzip)(bytes, options) : bytes);
      case 'br':
        return accepted(await promisify(brotliDecompress)(bytes, { maxOutputLength: bytesMax }));
      case 'deflate':
        return accepted(await (isZlib(bytes) ? promisify(inflate) : promisify(inflateRaw))(bytes, options));
      default:
        return refused('unusable encoding');
    }
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return refused(isTooLarge ? 'too large' : 'unusable encoding');
  }
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZlib(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
