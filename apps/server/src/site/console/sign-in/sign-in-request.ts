import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidRequest } from '../../../foundation/http/http-problems.ts';
import { ProblemError } from '../../../foundation/problem.ts';

/** The address of the sign-in page, as programs and the site's own pages write it. */
export const SignInQuery = closedObject({
  source: Type.Optional(Type.Literal('api')),
  port: Type.Optional(Type.Integer({ minimum: 49_152, maximum: 65_535 })),
  code_challenge: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
  code_challenge_method: Type.Optional(Type.Literal('S256')),
  state: Type.Optional(Type.String({ pattern: '^[!-~]{1,512}$' })),
  return: Type.Optional(Type.String({ maxLength: 200 })),
});
export type SignInQuery = Static<typeof SignInQuery>;

/** A program on the person's own machine that waits for a code. */
export interface WaitingProgram {
  readonly port: number;
  readonly codeChallenge: string | null;
  readonly state: string | null;
}

/** Null where a person signs in only for the pages. */
export function waitingProgram(query: SignInQuery): WaitingProgram | null {
  if (query.source === undefined) {
    const stray = [query.port, query.code_challenge, query.code_challenge_method, query.state];
    if (stray.some((value) => value !== undefined)) throw refuse('source', 'must be api here');
    return null;
  }
  if (query.port === undefined) throw refuse('port', 'is required');
  // The challenge is enough: only one method is supported.
  if (query.code_challenge === undefined && query.code_challenge_method !== undefined)
    throw refuse('code_challenge', 'is required with code_challenge_method');
  return { port: query.port, codeChallenge: query.code_challenge ?? null, state: query.state ?? null };
}

function refuse(name: string, message: string): ProblemError {
  return new ProblemError(invalidRequest, `${name} ${message}`, { errors: [{ in: 'query', name, message }] });
}

/** Built from the port alone: no other part of the request can change the target. */
export function callbackOrigin({ port }: WaitingProgram): string {
  return `http://localhost:${port}`;
}

export function callbackAddress(program: WaitingProgram, code: string): string {
  const address = new URL('/callback', callbackOrigin(program));
  address.searchParams.set('token', code);
  if (program.state !== null) address.searchParams.set('state', program.state);
  return address.href;
}

/** Pages of this site that a person may return to; anything else becomes the account page. */
const ownPages = /^\/(?:account|platform|auth\/join)(?:\/[A-Za-z0-9_-]+)*\/?(?:\?[A-Za-z0-9=&%._-]*)?$/;

export function returnAddress(query: SignInQuery): string {
  return query.return !== undefined && ownPages.test(query.return) ? query.return : '/account';
}

/** The same request as an address, to pass it from page to page. */
export function signInAddress(path: string, query: SignInQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

/** Data that must survive the redirect to a sign-in provider and back. */
export function writeContext(query: SignInQuery): string {
  return signInAddress('', query);
}

export function parseContext(context: string): SignInQuery {
  const { port, ...texts } = Object.fromEntries(new URLSearchParams(context));
  return { ...texts, ...(port !== undefined && { port: Number(port) }) };
}
