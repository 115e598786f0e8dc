/**
 * Sent with every response that a shared cache may store, also with 404 and 410, which replace the copy of a deleted
 * resource. A cache that follows this header revalidates after so many seconds, whatever `Cache-Control` allows its
 * clients. nginx counts whole seconds, so its copy is at most one second older than this.
 */
export const edgeLifetime = { 'x-accel-expires': '1' } as const;

/** Tags for purging: Fastly and Varnish read the first header, Cloudflare the second. */
export function edgeTagHeaders(tags: readonly string[]): Readonly<Record<string, string>> {
  return tags.length === 0 ? {} : { 'surrogate-key': tags.join(' '), 'cache-tag': tags.join(',') };
}
