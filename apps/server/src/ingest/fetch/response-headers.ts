import { dayMs } from '../../foundation/clock.ts';
import { instantToMs } from '../../foundation/instant.ts';
import { resolveAddress } from '../parse/article-address.ts';
import { parseFeedDate } from '../parse/feed-date.ts';

/** Header names in lower case; repeated headers are joined by commas. */
export type ResponseHeaders = Readonly<Record<string, string>>;

export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

const validatorCharsMax = 1_000;
const longestMs = 30 * dayMs;

export function plainHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : (value ?? []).join(', '),
    ]),
  );
}

/** Sent back unchanged with the next request. */
export function validatorsOf(headers: ResponseHeaders): Validators {
  return { etag: bounded(headers['etag']), lastModified: bounded(headers['last-modified']) };
}

function bounded(value: string | undefined): string | null {
  return value === undefined || value === '' || value.length > validatorCharsMax ? null : value;
}

/** How long the response is fresh; null: the headers do not say. */
export function freshForMs(headers: ResponseHeaders, nowMs: number): number | null {
  const control = headers['cache-control'] ?? '';
  const stated = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,10})/iu.exec(control)?.[1];
  if (stated !== undefined) {
    const age = Number(/^\d{1,10}$/u.exec(headers['age'] ?? '')?.[0] ?? 0);
    return clampMs((Number(stated) - age) * 1000);
  }
  if (/no-(?:cache|store)/iu.test(control)) return null;
  const expires = httpDateMs(headers['expires']);
  return expires === null ? null : clampMs(expires - (httpDateMs(headers['date']) ?? nowMs));
}

/** Seconds or a date; a date is measured against the server's `Date` header if it has one. */
export function retryAfterMs(headers: ResponseHeaders, nowMs: number): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d{1,10}(?:\.\d+)?$/u.test(value)) return clampMs(Math.ceil(Number(value)) * 1000);
  const date = httpDateMs(value);
  return date === null ? null : clampMs(date - (httpDateMs(headers['date']) ?? nowMs));
}

function httpDateMs(value: string | undefined): number | null {
  const date = value === undefined ? null : parseFeedDate(value, '+00:00');
  return date === null ? null : instantToMs(date.instant);
}

function clampMs(milliseconds: number): number {
  return Math.min(Math.max(0, milliseconds), longestMs);
}

/** Whether a response other than 429 reports a rate limit. */
export function saysRateLimited(status: number, headers: ResponseHeaders): boolean {
  if (status === 429) return true;
  if (status !== 403 && status !== 503) return false;
  const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  return headers['retry-after'] !== undefined || remaining?.trim() === '0';
}

/** Addresses of a relation in `Link: <https://hub.example/>; rel="hub"`. */
export function linksByRelation(headers: ResponseHeaders, relation: string, base: string): readonly string[] {
  const found: string[] = [];
  const links = (headers['link'] ?? '').slice(0, 8_192).matchAll(/<([^<>]*)>([^,<"]*(?:"[^"]*"[^,<"]*)*)/gu);
  for (const [, href = '', parameters = ''] of links) {
    const relations = /;\s*rel\s*=\s*"?([^";]+)/iu.exec(parameters)?.[1]?.toLowerCase().split(/\s+/u) ?? [];
    const address = relations.includes(relation) ? resolveAddress(href, base) : null;
    if (address !== null) found.push(address);
  }
  return found;
}
