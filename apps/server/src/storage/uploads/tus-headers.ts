import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { invalidField, payloadTooLarge, unsupportedMediaType } from '../../foundation/http/http-problems.ts';
import { createAjv, createValidator } from '../../foundation/http/request-validation.ts';
import type { RequestHeaders } from '../../foundation/http/route.ts';
import { instantToMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { fileBytesMax } from '../storage-deps.ts';
import type { NewUpload } from './reserve-upload.ts';
import type { ResumableUpload } from './resume-upload.ts';
import { unsupportedTusVersion } from './tus-problems.ts';
import type { UploadFields } from './upload-schema.ts';
import { NewUploadSchema, newUploadOf } from './upload-schema.ts';

export const tusVersion = '1.0.0';

const count = Type.Integer({ minimum: 0 });
const version = {
  description: 'The tus version.',
  schema: Type.Enum([tusVersion]),
  isRequired: true,
} as const;
export const pieceContentType = 'application/offset+octet-stream';

/** The request headers of the protocol. */
export const tusHeaders = {
  version: { 'Tus-Resumable': version },
  creation: {
    'Tus-Resumable': version,
    'Upload-Length': { description: 'Size of the file in bytes.', schema: count, isRequired: true },
    'Upload-Metadata': {
      description: 'Keys and base64 values, separated by commas.',
      schema: Type.String(),
      isRequired: true,
    },
  },
  piece: {
    'Tus-Resumable': version,
    'Upload-Offset': { description: 'The offset of the last response.', schema: count, isRequired: true },
    'Content-Length': { description: 'Number of bytes in the body.', schema: count, isRequired: true },
  },
} as const satisfies Readonly<Record<string, RequestHeaders>>;

/** What a browser may send and read. `Content-Length` is the browser's own. */
export const tusRequestHeaders = ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'];
export const tusResponseHeaders = [
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
];

/** The capabilities in the response to OPTIONS. */
export const tusAbilities = {
  'tus-resumable': tusVersion,
  'tus-version': tusVersion,
  'tus-extension': 'creation,creation-with-upload,expiration,termination',
  'tus-max-size': String(fileBytesMax),
};

export function requireTusVersion({ headers }: FastifyRequest): void {
  if (headers['tus-resumable'] === tusVersion) return;
  throw new ProblemError(unsupportedTusVersion, `send Tus-Resumable: ${tusVersion}`, {
    headers: { 'tus-version': tusVersion },
  });
}

/** The target of an upload, from its creation request. */
export function newUploadFrom(request: FastifyRequest): NewUpload {
  const size = countOf(request, 'Upload-Length');
  if (size > fileBytesMax)
    throw new ProblemError(payloadTooLarge, `A file can have at most ${fileBytesMax} bytes.`);
  const { filename, filetype = '', ...rest } = readMetadata(String(request.headers['upload-metadata'] ?? ''));
  const [mediaType = ''] = filetype.split(';', 1);
  const fields = {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => ownKeys.has(key))),
    ...(filename !== undefined && { name: filename }),
    ...(mediaType !== '' && { mediaType }),
    size: String(size),
  };
  checkFields ??= createValidator(createAjv(), NewUploadSchema, 'header');
  return newUploadOf(checkFields(fields) as UploadFields);
}

/** Beside `filename` and `filetype`, which clients send by default; other keys are ignored. */
const ownKeys = new Set(['projectId', 'folderId', 'ifTaken', 'sha256', 'ifMatch']);
let checkFields: ReturnType<typeof createValidator> | undefined;

/** Comma-separated pairs of a key and a base64 value. */
export function readMetadata(text: string): Readonly<Record<string, string>> {
  const metadata: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ');
    if (key === '' && value === '') continue;
    const decoded = more.length === 0 ? decode(value) : null;
    if (decoded === null || Object.hasOwn(metadata, key))
      throw invalidField('Upload-Metadata', 'must be keys, each once, with values in base64', 'header');
    metadata[key] = decoded;
  }
  return metadata;
}

function decode(value: string): string | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'base64'));
  } catch {
    return null;
  }
}

/** The offset and length of a request's bytes. */
export function readPiece(request: FastifyRequest): {
  readonly offset: number;
  readonly contentLength: number;
} {
  requirePieceType(request);
  return { offset: countOf(request, 'Upload-Offset'), contentLength: countOf(request, 'Content-Length') };
}

/** The length of the first bytes in a creation request; 0 without a body. */
export function firstPieceLength(request: FastifyRequest): number {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && length === '0') return 0;
  requirePieceType(request);
  return countOf(request, 'Content-Length');
}

function requirePieceType({ headers }: FastifyRequest): void {
  if (headers['content-type'] !== pieceContentType)
    throw new ProblemError(unsupportedMediaType, `send ${pieceContentType}`);
}

function countOf({ headers }: FastifyRequest, name: string): number {
  const text = String(headers[name.toLowerCase()] ?? '');
  if (!/^\d{1,15}$/.test(text)) throw invalidField(name, 'must be a number of bytes', 'header');
  return Number(text);
}

export function describeProgress(reply: FastifyReply, upload: ResumableUpload): FastifyReply {
  if (upload.state === 'open') {
    // oxlint-disable-next-line no-restricted-globals -- nothing else writes dates as HTTP does
    reply.header('upload-expires', new Date(instantToMs(upload.expiresAt)).toUTCString());
  }
  return reply.header('upload-offset', String(upload.received)).header('cache-control', 'no-store');
}
