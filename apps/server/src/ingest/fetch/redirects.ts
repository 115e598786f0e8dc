import type { FetchFailure } from './fetch-outcome.ts';

export type NextHop =
  | { readonly url: URL; readonly isPermanent: boolean }
  | { readonly fault: FetchFailure; readonly detail: string };

/** The target of a redirect; null: the response is no redirect. */
export function nextHop(
  url: URL,
  status: number,
  location: string | undefined,
  hops: readonly string[],
): NextHop | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const next = location === undefined ? null : usableUrl(location, url);
  if (next === null) return { fault: 'unusable redirect', detail: (location ?? 'no Location').slice(0, 300) };
  // Without cookies the same address would redirect again.
  if (hops.includes(next.href)) return { fault: 'redirect loop', detail: next.href };
  return { url: next, isPermanent: status === 301 || status === 308 };
}

/** As `nextHop`, for a POST: repeated only after 307 and 308, and never from https to http. */
export function nextHopOfForm(...[url, status, location, hops]: Parameters<typeof nextHop>): NextHop | null {
  if (status !== 307 && status !== 308) return null;
  const next = nextHop(url, status, location, hops);
  const losesTls =
    next !== null && 'url' in next && url.protocol === 'https:' && next.url.protocol !== 'https:';
  return losesTls ? { fault: 'unusable redirect', detail: next.url.href } : next;
}

/** Ports below 1024 other than 80 and 443 belong to protocols that could interpret a request as a command. */
const systemPortsMax = 1_023;
const addressCharsMax = 4_000;

/** An address that may be requested. The connection checks the resolved IP address. */
export function usableUrl(text: string, base?: URL): URL | null {
  const url = text.length > addressCharsMax ? null : URL.parse(text, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    return null;
  const port = url.port === '' ? null : Number(url.port);
  if (port !== null && port <= systemPortsMax && port !== 80 && port !== 443) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url;
}
