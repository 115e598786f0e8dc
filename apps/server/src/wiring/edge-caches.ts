import type { Config } from '../config/config.ts';
import { cloudflareCache } from '../foundation/edge/cloudflare.ts';
import type { EdgeCache } from '../foundation/edge/edge-cache.ts';
import { fastlyCache } from '../foundation/edge/fastly.ts';
import { varnishCache } from '../foundation/edge/varnish.ts';

/** The shared caches that purge copies by tag. */
export function edgeCaches({ varnish, fastly, cloudflare }: Config['edge']): readonly EdgeCache[] {
  return [
    ...varnish.map(varnishCache),
    ...(fastly === null ? [] : [fastlyCache(fastly)]),
    ...(cloudflare === null ? [] : [cloudflareCache(cloudflare)]),
  ];
}
