import type { Category, Outlet } from '../dispatch.ts';
import type { DispatchCode } from '../plan/dispatch-code.ts';
import { openCode } from '../plan/dispatch-code.ts';
import { codeInAddress } from '../site/article-address.ts';
import type { FeedFormat } from '../site/outlet-traits.ts';
import { formatOfFile } from '../site/outlet-traits.ts';

/** The resource at an address on a publisher's host. */
export type Resource =
  | {
      readonly type: 'feed';
      readonly outlet: Outlet;
      readonly format: FeedFormat;
      readonly category: Category | null;
      /** Requested under the address to which a feed moves. */
      readonly moved: boolean;
    }
  | { readonly type: 'front' | 'list' | 'missing'; readonly outlet: Outlet }
  | { readonly type: 'robots'; readonly outlet: Outlet }
  | { readonly type: 'article'; readonly outlet: Outlet; readonly code: DispatchCode }
  /** An aggregator's address that leads on to the article, or the page where it is discussed. */
  | { readonly type: 'redirector' | 'discussion'; readonly outlet: Outlet; readonly code: DispatchCode };

const categories: ReadonlySet<string> = new Set([
  'ai-models',
  'ai-products',
  'industry',
  'paper',
  'tip',
  'opinion',
]);

export class HostTable {
  readonly #seed: number;
  readonly #hosts: ReadonlyMap<string, readonly Outlet[]>;

  constructor(seed: number, outlets: readonly Outlet[]) {
    this.#seed = seed;
    this.#hosts = Map.groupBy(outlets, ({ host }) => host);
  }

  /** Undefined where no outlet of this world has the host. */
  find(host: string, pathAndQuery: string): Resource | undefined {
    const outlets = this.#hosts.get(host);
    const [first] = outlets ?? [];
    if (outlets === undefined || first === undefined) return undefined;
    if (pathAndQuery === '/robots.txt') return { type: 'robots', outlet: first };
    const address = `http://${host}${pathAndQuery}`;
    const outlet = outlets.find(({ home }) => address.startsWith(home));
    return (
      (outlet === undefined ? undefined : this.#ofOutlet(outlet, address.slice(outlet.home.length))) ??
      this.#article(first, pathAndQuery) ?? { type: 'missing', outlet: outlet ?? first }
    );
  }

  #ofOutlet(outlet: Outlet, rest: string): Resource | undefined {
    const [path = ''] = rest.split('?');
    if (path === '') return { type: 'front', outlet };
    if (path === 'api/posts.json') return { type: 'list', outlet };
    const feed = /^(moved\/)?(?:category\/([a-z-]+)\/)?([a-z]+\.[a-z]+)$/.exec(path);
    const format = formatOfFile(feed?.[3] ?? '');
    const category = feed?.[2];
    if (feed !== null && format !== undefined && (category === undefined || categories.has(category))) {
      const moved = feed[1] !== undefined;
      return { type: 'feed', outlet, format, category: (category as Category | undefined) ?? null, moved };
    }
    if (outlet.shape === 'headlines')
      return this.#through('redirector', outlet, path, /^rss\/articles\/(\w+)$/);
    return outlet.shape === 'discussion'
      ? this.#through('discussion', outlet, rest, /^item\?id=(\w+)$/)
      : undefined;
  }

  #through(
    type: 'redirector' | 'discussion',
    outlet: Outlet,
    path: string,
    form: RegExp,
  ): Resource | undefined {
    const [, id] = form.exec(path) ?? [];
    const code = id === undefined ? undefined : openCode(this.#seed, id);
    return code === undefined ? undefined : { type, outlet, code };
  }

  #article(outlet: Outlet, pathAndQuery: string): Resource | undefined {
    const code = codeInAddress(this.#seed, pathAndQuery);
    return code === undefined ? undefined : { type: 'article', outlet, code };
  }
}
