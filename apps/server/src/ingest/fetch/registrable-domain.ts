import { getDomain } from 'tldts';

/**
 * Whom a request burdens: the domain that somebody registered. Sites under one host of blogs or pages count as that
 * host, because its servers answer for them all.
 */
export function registrableDomain(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: false }) ?? url.hostname;
}
