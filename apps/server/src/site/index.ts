import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { ProblemDefinition } from '../foundation/problem.ts';
import { homePage } from './home-page.ts';
import type { SiteTools } from './page-route.ts';
import { problemPages } from './problem-pages.ts';
import { referencePages } from './reference-page.ts';
import { termsPage } from './terms-page.ts';

/** The plain pages: reference, terms, and one for every error that any route can raise. */
export function siteRoutes(
  tools: SiteTools,
  problems: readonly ProblemDefinition[],
): readonly RouteDeclaration[] {
  return [homePage(tools), ...referencePages(tools), termsPage(tools), ...problemPages(tools, problems)];
}
