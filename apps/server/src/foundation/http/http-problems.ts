import type { FieldError, ProblemDefinition } from '../problem.ts';
import { ProblemError } from '../problem.ts';

/** Problems that any route can return. */
export const invalidRequest: ProblemDefinition = {
  code: 'invalid_request',
  kind: 'invalid',
  title: 'Invalid request',
  explanation:
    'A parameter or the body is invalid: unknown, repeated, out of range or of the wrong type. `errors` lists each fault. Correct the request before you retry.',
};
export const invalidCursor: ProblemDefinition = {
  code: 'invalid_cursor',
  kind: 'invalid',
  title: 'Invalid cursor',
  explanation:
    'The cursor is malformed, expired, or belongs to another list or other filters. Start again without a cursor. Use only the cursor of the previous response, and do not store cursors.',
};
export const notFound: ProblemDefinition = {
  code: 'not_found',
  kind: 'not-found',
  title: 'Not found',
  explanation: 'The resource does not exist, or you do not have access to it.',
};
export const methodNotAllowed: ProblemDefinition = {
  code: 'method_not_allowed',
  kind: 'method-not-allowed',
  title: 'Method not allowed',
  explanation: 'The resource does not support this method. The `Allow` header lists the supported methods.',
};
export const forbidden: ProblemDefinition = {
  code: 'forbidden',
  kind: 'forbidden',
  title: 'Forbidden',
  explanation: 'You do not have the required permission. Ask an owner or admin of the organization.',
};
export const conflict: ProblemDefinition = {
  code: 'conflict',
  kind: 'conflict',
  title: 'Conflict',
  explanation: 'The request conflicts with the current state. `detail` explains the conflict.',
};
export const requestTimeout: ProblemDefinition = {
  code: 'request_timeout',
  kind: 'timeout',
  title: 'Request timeout',
  explanation:
    'The request was not received completely within the time limit. Send it again on a new connection.',
};
export const payloadTooLarge: ProblemDefinition = {
  code: 'payload_too_large',
  kind: 'too-large',
  title: 'Payload too large',
  explanation: 'The request body exceeds the size limit of this endpoint.',
};
export const unsupportedMediaType: ProblemDefinition = {
  code: 'unsupported_media_type',
  kind: 'unsupported-media-type',
  title: 'Unsupported media type',
  explanation: 'This endpoint does not accept the content type. Send `Content-Type: application/json`.',
};
export const expectationFailed: ProblemDefinition = {
  code: 'expectation_failed',
  kind: 'expectation-failed',
  title: 'Expectation failed',
  explanation: 'The server supports only `Expect: 100-continue`.',
};
export const headersTooLarge: ProblemDefinition = {
  code: 'headers_too_large',
  kind: 'headers-too-large',
  title: 'Request headers too large',
  explanation: 'The request line and headers exceed 16 KiB.',
};
export const rateLimited: ProblemDefinition = {
  code: 'rate_limited',
  kind: 'limited',
  title: 'Too many requests',
  explanation:
    'You have exceeded the rate limit. Wait at least `Retry-After` seconds, and poll no more often than `s-maxage` allows.',
};
export const actorForbidden: ProblemDefinition = {
  code: 'actor_forbidden',
  kind: 'forbidden',
  title: 'Client blocked',
  explanation: "The operator has blocked this client's IP address or User-Agent. Contact the operator.",
};
export const internal: ProblemDefinition = {
  code: 'internal',
  kind: 'internal',
  title: 'Internal error',
  explanation:
    'An unexpected error occurred on the server. Retry later. If the error persists, report the `requestId`.',
};
export const temporarilyUnavailable: ProblemDefinition = {
  code: 'temporarily_unavailable',
  kind: 'unavailable',
  title: 'Temporarily unavailable',
  explanation: 'The server is overloaded or cannot reach its database. Wait at least `Retry-After` seconds.',
};

export const httpProblems: readonly ProblemDefinition[] = [
  invalidRequest,
  invalidCursor,
  notFound,
  methodNotAllowed,
  requestTimeout,
  payloadTooLarge,
  unsupportedMediaType,
  expectationFailed,
  headersTooLarge,
  rateLimited,
  actorForbidden,
  internal,
  temporarilyUnavailable,
];

/** For an error in one place of a request that its schema cannot express. */
export function invalidField(name: string, message: string, place: FieldError['in'] = 'body'): ProblemError {
  const detail = isSentence(message) ? message : `${name} ${message}`;
  return new ProblemError(invalidRequest, detail, { errors: [{ in: place, name, message }] });
}

/** Whether a message about a field is a complete sentence instead of a continuation of the field's name. */
export function isSentence(message: string): boolean {
  return /^\p{Lu}/u.test(message);
}
