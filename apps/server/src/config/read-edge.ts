import type { Environment } from './env.ts';

/** Shared caches that purge withdrawn copies by tag. */
interface EdgeConfig {
  readonly varnish: readonly { readonly url: string; readonly token: string }[];
  readonly fastly: { readonly service: string; readonly token: string } | null;
  readonly cloudflare: { readonly zone: string; readonly token: string } | null;
}

export function readEdge(environment: Environment): EdgeConfig {
  const urls = environment.baseUrls('DAYBOOK_VARNISH_URLS');
  const varnishToken = urls.length === 0 ? '' : environment.headerSecret('DAYBOOK_VARNISH_TOKEN');
  const service = environment.identifier('DAYBOOK_FASTLY_SERVICE');
  const zone = environment.identifier('DAYBOOK_CLOUDFLARE_ZONE');
  return {
    varnish: urls.map((url) => ({ url, token: varnishToken })),
    fastly: service === null ? null : { service, token: environment.headerSecret('DAYBOOK_FASTLY_TOKEN') },
    cloudflare: zone === null ? null : { zone, token: environment.headerSecret('DAYBOOK_CLOUDFLARE_TOKEN') },
  };
}
