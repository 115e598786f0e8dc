import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { deliveryForms } from './delivery-forms.ts';
import { frontSectionRoute } from './front-section-route.ts';
import { searchListPages } from './search-list-page.ts';
import { searchPages } from './search-page.ts';
import type { WatchTools } from './watch-frame.ts';

/** The saved searches of an account. */
export function watchPages(tools: WatchTools): readonly RouteDeclaration[] {
  return [
    ...searchListPages(tools),
    frontSectionRoute(tools),
    ...searchPages(tools),
    ...deliveryForms(tools),
  ];
}
