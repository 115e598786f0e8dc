import type { EdgeCache } from './edge-cache.ts';
import { chunksOf, sendPurge } from './edge-cache.ts';

/** Maximum number of tags per request. */
const tagsAtOnce = 256;

export interface FastlyOptions {
  readonly service: string;
  readonly token: string;
  /** Overridden in tests. */
  readonly apiUrl?: string;
}

/** Follows Fastly's documentation of `bulk-purge-tag`; not tested against the live service. */
export function fastlyCache({ service, token, apiUrl = 'https://api.fastly.com' }: FastlyOptions): EdgeCache {
  return {
    name: `fastly ${service}`,
    purge: async (tags, signal) => {
      for (const chunk of chunksOf(tags, tagsAtOnce))
        await sendPurge(
          `${apiUrl}/service/${service}/purge`,
          {
            method: 'POST',
            headers: {
              'fastly-key': token,
              accept: 'application/json',
              'content-type': 'application/json',
            },
            body: JSON.stringify({ surrogate_keys: chunk }),
          },
          signal,
        );
    },
  };
}
