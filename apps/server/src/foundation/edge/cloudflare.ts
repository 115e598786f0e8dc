import type { EdgeCache } from './edge-cache.ts';
import { chunksOf, sendPurge } from './edge-cache.ts';

/** Maximum number of tags per request on every plan. */
const tagsAtOnce = 30;

export interface CloudflareOptions {
  readonly zone: string;
  readonly token: string;
  /** Overridden in tests. */
  readonly apiUrl?: string;
}

/** Follows Cloudflare's documentation of purging by tag; not tested against the live service. */
export function cloudflareCache(options: CloudflareOptions): EdgeCache {
  const { zone, token, apiUrl = 'https://api.cloudflare.com' } = options;
  return {
    name: `cloudflare ${zone}`,
    purge: async (tags, signal) => {
      for (const chunk of chunksOf(tags, tagsAtOnce)) {
        const answer = await sendPurge(
          `${apiUrl}/client/v4/zones/${zone}/purge_cache`,
          {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ tags: chunk }),
          },
          signal,
        );
        if (!isSuccess(answer)) throw new Error(`Cloudflare did not purge: ${answer}`);
      }
    },
  };
}

/** Cloudflare also answers 200 to failed purges. */
function isSuccess(answer: string): boolean {
  try {
    return (JSON.parse(answer) as { readonly success?: unknown } | null)?.success === true;
  } catch {
    return false;
  }
}
