import { isDatabaseUnreachable } from '../database/database.ts';
import type { ProblemKind } from '../problem.ts';
import { ProblemError, sentenceOf } from '../problem.ts';
import {
  internal,
  invalidRequest,
  payloadTooLarge,
  temporarilyUnavailable,
  unsupportedMediaType,
} from './http-problems.ts';

export const problemContentType = 'application/problem+json';

export const statusOfKind: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  'expectation-failed': 417,
  locked: 423,
  limited: 429,
  'headers-too-large': 431,
  internal: 500,
  unavailable: 503,
};

const databaseAwayRetrySeconds = 30;

export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes, because Fastify would add a charset to text, and this media type has none. */
  readonly body: Buffer;
}

/** The only format of an error response. */
export function problemResponse(error: ProblemError, requestId: string): ProblemResponse {
  const { definition, retryAfterSeconds } = error;
  const status = statusOfKind[definition.kind];
  const headers: Record<string, string> = {
    ...error.headers,
    'content-type': problemContentType,
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
  };
  if (retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  const body = Buffer.from(
    JSON.stringify({
      type: problemPath(definition.code),
      title: definition.title,
      status,
      detail: sentenceOf(error),
      code: definition.code,
      requestId,
      ...(retryAfterSeconds === undefined ? {} : { retryAfter: Math.max(1, Math.ceil(retryAfterSeconds)) }),
      ...(error.errors === undefined ? {} : { errors: error.errors }),
    }),
  );
  return { status, headers, body };
}

export function problemPath(code: string): string {
  return `/problems/${code.replaceAll('_', '-')}`;
}

/** Converts any thrown value into the problem that the caller may see. Unexpected errors become "internal". */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ProblemError(payloadTooLarge, 'The request body is too large.', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ProblemError(unsupportedMediaType, 'Send application/json.', { cause: error });
  }
  if (isClientFault(error))
    return new ProblemError(invalidRequest, 'The request could not be read.', { cause: error });
  if (isDatabaseUnreachable(error)) {
    return new ProblemError(temporarilyUnavailable, 'The database is unreachable.', {
      retryAfterSeconds: databaseAwayRetrySeconds,
      cause: error,
    });
  }
  return new ProblemError(internal, 'An unexpected error occurred.', { cause: error });
}

/** Fastify's own request errors have a status of 4xx. */
function isClientFault(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
}
