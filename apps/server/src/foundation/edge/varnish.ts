import type { EdgeCache } from './edge-cache.ts';
import { chunksOf, sendPurge } from './edge-cache.ts';

/** Varnish refuses longer headers with its default settings. */
const tagsAtOnce = 40;

/** A Varnish that runs `deploy/varnish.vcl`, which bans the tags of a PURGE request that carries its token. */
export function varnishCache({ url, token }: { readonly url: string; readonly token: string }): EdgeCache {
  return {
    name: `varnish ${new URL(url).host}`,
    purge: async (tags, signal) => {
      for (const chunk of chunksOf(tags, tagsAtOnce)) {
        const headers = { 'x-purge-token': token, 'x-purge-tags': chunk.join(' ') };
        await sendPurge(url, { method: 'PURGE', headers }, signal);
      }
    },
  };
}
