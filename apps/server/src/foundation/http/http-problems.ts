import type { FieldError, ProblemDefinition } from '../problem.ts';
import { ProblemError } from '../problem.ts';

/** What any route can answer, whatever it is about. */
export const invalidRequest: ProblemDefinition = {
  code: 'invalid_request',
  kind: 'invalid',
  title: 'Invalid request',
  explanation:
    'Something in the request is not as documented: a parameter that does not exist, is repeated or out of bounds, or a body that does not match. `errors` names each place. Correct the request; sending it again unchanged will not help.',
};
export const invalidCursor: ProblemDefinition = {
  code: 'invalid_cursor',
  kind: 'invalid',
  title: 'Invalid cursor',
  explanation:
    'The cursor cannot be read, was written for another list or other filters, or stands where the list no longer reaches. Start again without one; take cursors only from the last answer and do not keep them.',
};
export const notFound: ProblemDefinition = {
  code: 'not_found',
  kind: 'not-found',
  title: 'Not found',
  explanation: 'There is nothing at this address, or nothing that you may know of.',
};
export const methodNotAllowed: ProblemDefinition = {
  code: 'method_not_allowed',
  kind: 'method-not-allowed',
  title: 'Method not allowed',
  explanation: 'The address exists but does not take this method. The `Allow` header lists those it takes.',
};
export const forbidden: ProblemDefinition = {
  code: 'forbidden',
  kind: 'forbidden',
  title: 'Not allowed',
  explanation:
    'You are known, but what you may do does not include this. Ask an owner or admin of the organization.',
};
export const conflict: ProblemDefinition = {
  code: 'conflict',
  kind: 'conflict',
  title: 'Conflict',
  explanation: 'What was asked for contradicts what is there. `detail` says what.',
};
export const requestTimeout: ProblemDefinition = {
  code: 'request_timeout',
  kind: 'timeout',
  title: 'Request not received in time',
  explanation:
    'The request was not complete within the time a client has to send it. Send it again on a new connection.',
};
export const payloadTooLarge: ProblemDefinition = {
  code: 'payload_too_large',
  kind: 'too-large',
  title: 'Payload too large',
  explanation: 'The body is larger than this address accepts.',
};
export const unsupportedMediaType: ProblemDefinition = {
  code: 'unsupported_media_type',
  kind: 'unsupported-media-type',
  title: 'Unsupported media type',
  explanation: 'The body is of a type this address does not read. Send `Content-Type: application/json`.',
};
export const expectationFailed: ProblemDefinition = {
  code: 'expectation_failed',
  kind: 'expectation-failed',
  title: 'Expectation failed',
  explanation: 'The only expectation this server knows is `100-continue`.',
};
export const headersTooLarge: ProblemDefinition = {
  code: 'headers_too_large',
  kind: 'headers-too-large',
  title: 'Request headers too large',
  explanation: 'The request line and headers together are larger than 16 KiB.',
};
export const rateLimited: ProblemDefinition = {
  code: 'rate_limited',
  kind: 'limited',
  title: 'Too many requests',
  explanation:
    'More requests came than are allowed. Wait at least `Retry-After` seconds; poll no faster than `s-maxage`.',
};
export const actorForbidden: ProblemDefinition = {
  code: 'actor_forbidden',
  kind: 'forbidden',
  title: 'This client is not served',
  explanation: "The operator has put this client's address or User-Agent on the deny list. Ask the operator.",
};
export const internal: ProblemDefinition = {
  code: 'internal',
  kind: 'internal',
  title: 'Internal error',
  explanation: 'The fault is ours. Retry later; if it stays, report the `requestId`.',
};
export const temporarilyUnavailable: ProblemDefinition = {
  code: 'temporarily_unavailable',
  kind: 'unavailable',
  title: 'Temporarily unavailable',
  explanation:
    'The server cannot answer right now: it is overloaded or its database is unreachable. Wait at least `Retry-After` seconds.',
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

/** Where one place of a request is wrong in a way that its schema cannot say. */
export function invalidField(name: string, message: string, place: FieldError['in'] = 'body'): ProblemError {
  return new ProblemError(invalidRequest, `${name} ${message}`, { errors: [{ in: place, name, message }] });
}
