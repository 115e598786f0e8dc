import { createHash } from 'node:crypto';

/** Weak, from the identity body, and therefore equal for every encoding of it. */
export function weakEntityTag(body: Uint8Array): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** RFC 9110 weak comparison of If-None-Match, which may be a list or `*`, with the current tag. */
export function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === entityTag || ifNoneMatch.trim() === '*') return true;
  const opaque = entityTag.slice(entityTag.indexOf('"'));
  for (const [candidate] of ifNoneMatch.matchAll(/"[^"]*"/g)) {
    if (candidate === opaque) return true;
  }
  return false;
}
