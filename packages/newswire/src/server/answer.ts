import { createHash } from 'node:crypto';

import type { Outlet } from '../dispatch.ts';
import { httpDate } from '../feed/feed-date.ts';
import type { Micros } from '../instant.ts';
import { outletTraits } from '../site/outlet-traits.ts';

/** The response to one request. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** How the body is sent, where that is not simply all of it. */
  readonly delivery?: Delivery;
}

export type Delivery =
  | { readonly how: 'never' }
  | { readonly how: 'reset' }
  | { readonly how: 'cut'; readonly afterBytes: number }
  | { readonly how: 'endless' }
  | { readonly how: 'slowly'; readonly delayMs: number; readonly bytesPerSecond: number | null };

export function textAnswer(status: number, type: string, text: string | Buffer): Answer {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  return { status, headers: { 'content-type': type }, body };
}

export function redirectAnswer(status: number, location: string): Answer {
  return { status, headers: { location }, body: Buffer.alloc(0) };
}

export interface RequestedValidators {
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
}

/** The same response with the validators of its outlet, or 304 if the reader has it already. */
export function withValidators(
  seed: number,
  outlet: Outlet,
  changed: Micros,
  requested: RequestedValidators,
  answer: () => Answer,
): Answer {
  const { validators, maxAgeSeconds } = outletTraits(seed, outlet);
  const etag = `"${createHash('sha1').update(`${outlet.key} ${changed}`).digest('hex').slice(0, 20)}"`;
  const modified = httpDate(changed);
  const headers = {
    ...(validators === 'both' || validators === 'etag' ? { etag } : {}),
    ...(validators === 'both' || validators === 'last-modified' ? { 'last-modified': modified } : {}),
    ...(maxAgeSeconds === null ? {} : { 'cache-control': `max-age=${maxAgeSeconds}` }),
  };
  if (isFresh(headers, requested)) return { status: 304, headers, body: Buffer.alloc(0) };
  const full = answer();
  return { ...full, headers: { ...full.headers, ...headers } };
}

/** If-None-Match decides where both are sent. Dates are compared as they were given out, not as times. */
function isFresh(
  headers: { readonly etag?: string; readonly 'last-modified'?: string },
  { ifNoneMatch, ifModifiedSince }: RequestedValidators,
): boolean {
  if (ifNoneMatch !== undefined) {
    const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return headers.etag !== undefined && named.includes(headers.etag);
  }
  return ifModifiedSince !== undefined && ifModifiedSince === headers['last-modified'];
}
