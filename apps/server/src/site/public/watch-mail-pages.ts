import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { WatchDeps } from '../../watch/index.ts';
import { watchMail } from '../../watch/index.ts';
import type { SiteTools } from './public-page.ts';
import { unsubscribePages } from './unsubscribe-pages.ts';

/** The target of the links in mail about saved searches. */
export function watchMailPages(tools: SiteTools, watch: WatchDeps): readonly RouteDeclaration[] {
  return unsubscribePages(tools, {
    path: watchMail.watchPaths.unsubscribe,
    operations: { show: 'showWatchUnsubscribe', end: 'unsubscribeWatch' },
    isOpen: (secret) => watchMail.isWatchMailWanted(watch, secret),
    end: (secret) => watchMail.unsubscribeFromWatchMail(watch, secret),
    textsOf: ({ words }) => {
      const manage = { href: watchMail.watchPaths.manage, label: words.watchMail.manage };
      return { ...words.watchMail, next: manage, another: manage };
    },
  });
}
