import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { ContentEncoding } from '../http/content-encoding.ts';
import { weakEntityTag } from '../http/entity-tag.ts';
import { edgeTagHeaders } from './edge-headers.ts';

const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this size, the headers of an encoding cost more than it saves. */
const compressBytesMin = 512;
/** Within a few per cent of 9 on JSON, at a fraction of its time. */
const brQuality = 5;
/** Where 5 is larger than gzip, which happens with short and with Chinese text: slow, and rarely needed. */
const brQualityMax = 11;
const gzipLevel = 6;

export interface BuiltBody {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  /** The body is compressed itself, so that it is sent as it is. */
  readonly isCompressed?: true;
  /** Beyond type, tag and caching: `location`, `link`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One response as bytes, the same for every caller, with the encodings requested so far. */
export class Representation {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly entityTag: string;
  readonly identity: Buffer;
  readonly #isSentAsIs: boolean;
  readonly #encoded = new Map<ContentEncoding, Buffer>();
  readonly #encoding = new Map<ContentEncoding, Promise<Buffer>>();

  constructor(built: BuiltBody, edgeTags: readonly string[] = []) {
    this.status = built.status;
    this.contentType = built.contentType;
    this.headers = { ...built.headers, ...edgeTagHeaders(edgeTags) };
    this.identity = typeof built.body === 'string' ? Buffer.from(built.body) : built.body;
    this.entityTag = weakEntityTag(this.identity);
    this.#isSentAsIs = built.isCompressed ?? this.identity.length < compressBytesMin;
  }

  /** The bytes if already encoded; the hot path calls this first. */
  held(encoding: ContentEncoding): Buffer | undefined {
    if (encoding === 'identity' || this.#isSentAsIs) return this.identity;
    return this.#encoded.get(encoding);
  }

  /** Compresses on first demand, once, off the event loop. */
  async encode(encoding: ContentEncoding): Promise<Buffer> {
    const held = this.held(encoding);
    if (held !== undefined) return held;
    let pending = this.#encoding.get(encoding);
    if (pending === undefined) {
      pending = this.#compress(encoding).finally(() => this.#encoding.delete(encoding));
      this.#encoding.set(encoding, pending);
    }
    return pending;
  }

  async #compress(encoding: ContentEncoding): Promise<Buffer> {
    const body = this.identity;
    const encoded =
      encoding === 'br' ? await this.#compressBr() : await compressGzip(body, { level: gzipLevel });
    // An incompressible body is sent as it is, so that each form is at most as large as the body.
    const smaller = encoded.length < body.length ? encoded : body;
    this.#encoded.set(encoding, smaller);
    return smaller;
  }

  /** Never larger than gzip, which stays available for clients that request it. */
  async #compressBr(): Promise<Buffer> {
    const at = (quality: number): Promise<Buffer> =>
      compressBr(this.identity, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: this.identity.length,
        },
      });
    const [quick, gzipped] = await Promise.all([at(brQuality), this.encode('gzip')]);
    return quick.length <= gzipped.length ? quick : at(brQualityMax);
  }
}
