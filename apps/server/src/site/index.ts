import type { Access } from '../access/index.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { ProblemDefinition } from '../foundation/problem.ts';
import type { Identity } from '../identity/index.ts';
import { activityPage } from './account/activity-page.ts';
import { apiKeyPages } from './account/api-key-pages.ts';
import { organizationPages } from './account/organization-pages.ts';
import { overviewPage } from './account/overview-page.ts';
import { passwordPages } from './account/password-pages.ts';
import { providerPages } from './account/provider-pages.ts';
import { sessionPages } from './account/session-pages.ts';
import { homePage } from './home-page.ts';
import { forgottenPasswordPages } from './joining/forgotten-password-pages.ts';
import { invitationPages } from './joining/invitation-pages.ts';
import { signUpPages } from './joining/sign-up-pages.ts';
import type { SiteTools } from './page-route.ts';
import { createPersonalTools } from './personal-route.ts';
import { agentPages } from './platform/agent-pages.ts';
import { groupPages } from './platform/group-pages.ts';
import { organizationsPage } from './platform/organizations-page.ts';
import { policyPages } from './platform/policy-pages.ts';
import { tokenPages } from './platform/token-pages.ts';
import { problemPages } from './problem-pages.ts';
import { referencePages } from './reference-page.ts';
import { openIdPages } from './sign-in/openid-pages.ts';
import { signInPages } from './sign-in/sign-in-pages.ts';
import { termsPage } from './terms-page.ts';

/** The plain pages: reference, terms, and one for every error that any route can raise. */
export function siteRoutes(
  tools: SiteTools,
  problems: readonly ProblemDefinition[],
): readonly RouteDeclaration[] {
  return [homePage(tools), ...referencePages(tools), termsPage(tools), ...problemPages(tools, problems)];
}

/** The pages around an account. */
export function accountPages(identity: Identity, anonymous: Surface): readonly RouteDeclaration[] {
  const tools = createPersonalTools(identity, anonymous);
  return [
    ...signInPages(tools),
    ...signUpPages(tools),
    ...forgottenPasswordPages(tools),
    ...invitationPages(tools),
    overviewPage(tools),
    ...sessionPages(tools),
    ...apiKeyPages(tools),
    ...passwordPages(tools),
    ...(identity.openId === null ? [] : openIdPages(tools)),
    ...providerPages(tools),
    ...organizationPages(tools),
    activityPage(tools),
  ];
}

/** The pages of an organization, for members with the right. */
export function platformPages(
  identity: Identity,
  access: Access,
  anonymous: Surface,
): readonly RouteDeclaration[] {
  const tools = { ...createPersonalTools(identity, anonymous), access };
  return [
    organizationsPage(tools),
    ...tokenPages(tools),
    ...policyPages(tools),
    ...groupPages(tools),
    ...agentPages(tools),
  ];
}
