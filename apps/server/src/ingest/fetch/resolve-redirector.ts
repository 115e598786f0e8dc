import { articleAddress } from '../parse/article-address.ts';
import type { FetchRequest } from './fetch-outcome.ts';
import type { Fetcher } from './fetcher.ts';

/**
 * Follows a redirector to the address of its article, without requesting the article. Null: it leads nowhere, or
 * `beforeRequest` refused.
 */
export async function resolveRedirector(
  fetcher: Fetcher,
  url: string,
  options: Pick<FetchRequest, 'beforeRequest' | 'signal'> = {},
): Promise<string | null> {
  const outcome = await fetcher.fetch({
    url,
    accept: 'text/html, */*;q=0.1',
    bytesMax: 1024 * 1024,
    deadlineMs: 15_000,
    ...(options.signal !== undefined && { signal: options.signal }),
    beforeRequest: async (next) => {
      if (!articleAddress(next.href).isRedirector) return 'stop';
      return (await options.beforeRequest?.(next)) ?? 'go';
    },
  });
  return outcome.kind === 'stopped' ? articleAddress(outcome.nextUrl).url : null;
}
