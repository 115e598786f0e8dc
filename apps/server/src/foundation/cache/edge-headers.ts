/**
 * Sent with every answer that a shared cache may hold, also with 404 and 410, which replace the copy of what is gone. A
 * cache that follows this header asks again after so many seconds, whatever `Cache-Control` allows the clients behind
 * it. nginx counts whole seconds, so a copy there is at most one second older than this.
 */
export const edgeLifetime = { 'x-accel-expires': '1' } as const;

/** Caches that can drop copies by tag know them by these: Fastly and Varnish by the one, Cloudflare by the other. */
export function edgeTagHeaders(tags: readonly string[]): Readonly<Record<string, string>> {
  return tags.length === 0 ? {} : { 'surrogate-key': tags.join(' '), 'cache-tag': tags.join(',') };
}
