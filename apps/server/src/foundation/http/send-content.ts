import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { secretsEqual } from '../hash.ts';
import type { EpochMicroseconds } from '../instant.ts';
import { httpDate } from '../instant.ts';
import type { ProblemDefinition } from '../problem.ts';
import { ProblemError } from '../problem.ts';
import type { ByteRange } from './byte-range.ts';
import { readByteRange } from './byte-range.ts';
import { matchesEntityTag } from './entity-tag.ts';
import { streamOf } from './open-stream.ts';
import type { ResponseDeclaration } from './route.ts';

export const rangeNotSatisfiable: ProblemDefinition = {
  code: 'range_not_satisfiable',
  kind: 'range-not-satisfiable',
  title: 'Range not satisfiable',
  explanation: 'The range starts beyond the end of the content. `Content-Range` contains the size.',
};

/** Bytes that never change under their entity tag. */
export interface Content {
  /** Strong: equal tags, equal bytes. */
  readonly entityTag: string;
  readonly size: number;
  readonly contentType: string;
  readonly modifiedAt?: EpochMicroseconds;
  /** Reads no faster than its consumer, and ends when the signal is aborted. */
  readonly open: (range: ByteRange | null, signal: AbortSignal) => Promise<Readable>;
  /** Present if a proxy in front of the api can read the bytes itself. */
  readonly proxied?: {
    /** What the proxy sends to show that it can; clients do not know it. */
    readonly token: string;
    /** Below the internal location of the proxy. */
    readonly pathOf: () => Promise<string>;
  };
}

/** The header with the token of a proxy that reads content itself, and its internal location. */
const proxyTokenHeader = 'x-daybook-files';
const internalLocation = '/-/files/';

const entityTagHeader = {
  ETag: { description: 'Strong entity tag.', schema: Type.String() },
  'Last-Modified': { description: 'Time of the last change.', schema: Type.String() },
  'Accept-Ranges': { description: '`bytes`.', schema: Type.String() },
};

/** The responses of a route that uses `sendContent`, beside the problem `rangeNotSatisfiable`. */
export const contentResponses: Readonly<Record<number, ResponseDeclaration>> = {
  200: {
    description: 'The whole content.',
    contentType: 'application/octet-stream',
    schema: Type.String({ format: 'binary' }),
    headers: entityTagHeader,
  },
  206: {
    description: 'The requested range.',
    contentType: 'application/octet-stream',
    schema: Type.String({ format: 'binary' }),
    headers: {
      ...entityTagHeader,
      'Content-Range': { description: '`bytes first-last/size`.', schema: Type.String() },
    },
  },
  304: { description: 'Your copy (`If-None-Match`) is current.', headers: entityTagHeader },
};

/** Answers 200, 206 or 304, or raises 416; streams the bytes as fast as the client reads them. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<FastifyReply> {
  const { entityTag, size } = content;
  const { range: asked, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  reply.header('etag', entityTag).header('accept-ranges', 'bytes');
  if (content.modifiedAt !== undefined) reply.header('last-modified', httpDate(content.modifiedAt));
  if (matchesEntityTag(ifNoneMatch, entityTag)) return reply.code(304).send();
  // RFC 9110, 13.1.5: a range of another version than the client's would be useless to it.
  const wanted = ifRange === undefined || ifRange === entityTag ? asked : undefined;
  const range = readByteRange(request.method === 'GET' ? wanted : undefined, size);
  if (!range.ok)
    throw new ProblemError(rangeNotSatisfiable, `The content has ${size} bytes.`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  const part = range.value;
  const length = part === null ? size : part.last - part.first + 1;
  reply.header('content-type', content.contentType).header('content-length', String(length));
  if (part !== null) reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`);
  if (request.method === 'HEAD' || length === 0) return reply.send(Readable.from([]));
  if (content.proxied !== undefined && isLeftToProxy(request, content.proxied.token, part)) {
    const path = internalLocation + (await content.proxied.pathOf());
    // The proxy writes the status and these headers itself.
    reply.code(200).removeHeader('content-range').removeHeader('accept-ranges').header('content-length', '0');
    return reply.header('x-accel-redirect', path).send(Readable.from([]));
  }
  return reply.send(await content.open(part, streamOf(request).signal));
}

const oneRange = /^bytes=(?:\d+-\d*|-\d+)$/;

/** nginx decides some unusual conditions and ranges differently: such requests are answered here. */
function isLeftToProxy({ headers }: FastifyRequest, token: string, part: ByteRange | null): boolean {
  const sent = headers[proxyTokenHeader];
  if (typeof sent !== 'string' || !secretsEqual(sent, token)) return false;
  if (headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined) return false;
  return part === null ? headers.range === undefined : oneRange.test(headers.range ?? '');
}
