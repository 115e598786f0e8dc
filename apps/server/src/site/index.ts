import type { Access } from '../access/index.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { ProblemDefinition } from '../foundation/problem.ts';
import type { Identity } from '../identity/index.ts';
import type { Mailing } from '../mailing/index.ts';
import type { StorageDeps } from '../storage/index.ts';
import { activityPage } from './personal/account/activity-page.ts';
import { apiKeyPages } from './personal/account/api-key-pages.ts';
import { dataPages } from './personal/account/data-pages.ts';
import { deletionPages } from './personal/account/deletion-pages.ts';
import { emailPages } from './personal/account/email-pages.ts';
import { confirmationPages } from './personal/account/guarded-form.ts';
import { limitedKeyPages } from './personal/account/limited-key-pages.ts';
import { overviewPages } from './personal/account/overview-page.ts';
import { passkeyPages } from './personal/account/passkey-pages.ts';
import { passwordOffPages } from './personal/account/password-off-pages.ts';
import { passwordPages } from './personal/account/password-pages.ts';
import { picturePages } from './personal/account/picture-pages.ts';
import { providerPages } from './personal/account/provider-pages.ts';
import { secondFactorPages } from './personal/account/second-factor-pages.ts';
import { securityPages } from './personal/account/security-pages.ts';
import { sessionPages } from './personal/account/session-pages.ts';
import { forgottenPasswordPages } from './personal/joining/forgotten-password-pages.ts';
import { invitationPages } from './personal/joining/invitation-pages.ts';
import { signUpPages } from './personal/joining/sign-up-pages.ts';
import { undoEmailPages } from './personal/joining/undo-email-pages.ts';
import { createPersonalTools } from './personal/personal-route.ts';
import { agentPages } from './personal/platform/agent-pages.ts';
import { auditPages } from './personal/platform/audit-pages.ts';
import { groupPages } from './personal/platform/group-pages.ts';
import { memberPages } from './personal/platform/member-pages.ts';
import { organizationPages } from './personal/platform/organization-pages.ts';
import { policyPages } from './personal/platform/policy-pages.ts';
import { tokenPages } from './personal/platform/token-pages.ts';
import { codePages } from './personal/sign-in/code-pages.ts';
import { openIdPages } from './personal/sign-in/openid-pages.ts';
import { passkeySignInPages } from './personal/sign-in/passkey-sign-in-pages.ts';
import { signInPages } from './personal/sign-in/sign-in-pages.ts';
import { downloadRoutes } from './personal/storage/download-routes.ts';
import { entrySearchPage } from './personal/storage/entry-search-page.ts';
import { filePages } from './personal/storage/file-pages.ts';
import { folderPages } from './personal/storage/folder-pages.ts';
import { projectPages } from './personal/storage/project-pages.ts';
import { sharePages } from './personal/storage/share-pages.ts';
import { sharedWithMePage } from './personal/storage/shared-with-me-page.ts';
import type { StorageTools } from './personal/storage/storage-frame.ts';
import { trashPages } from './personal/storage/trash-pages.ts';
import { pageUploadRoutes } from './personal/storage/upload-route.ts';
import { correctionsPage } from './public/corrections-page.ts';
import { editionPages } from './public/edition-pages.ts';
import { frontPage } from './public/front-page.ts';
import { hotPage } from './public/hot-page.ts';
import { itemPage } from './public/item-page.ts';
import { previewRoutes } from './public/preview-routes.ts';
import { problemPages } from './public/problem-pages.ts';
import type { SiteTools } from './public/public-page.ts';
import { unknownPageSurface } from './public/public-page.ts';
import type { DescribedApi } from './public/reference/api-document.ts';
import { guidePages } from './public/reference/guide-pages.ts';
import { readGuides } from './public/reference/guides.ts';
import { referencePages } from './public/reference/reference-pages.ts';
import { reportErrorPage } from './public/report-error-page.ts';
import { searchPage } from './public/search-page.ts';
import { assetRoutes, securityTxt, sourcesOpml } from './public/site-files.ts';
import { sourcesPage } from './public/sources-page.ts';
import { storyPage } from './public/story-page.ts';
import { subscribePages } from './public/subscribe-pages.ts';
import { timelinePage } from './public/timeline-page.ts';
import { writtenPages } from './public/written-pages.ts';

export { assetRoutes, unknownPageSurface };
export type { DescribedApi, SiteTools };

/** The public pages: the news, guides, API references, and one for every error that any route can raise. */
export function siteRoutes(
  tools: SiteTools,
  problems: readonly ProblemDefinition[],
  apis: readonly DescribedApi[],
  /** Null where mail is disabled. */
  mailing: Mailing | null = null,
): readonly RouteDeclaration[] {
  const guides = readGuides();
  return [
    ...frontPage(tools),
    ...timelinePage(tools),
    ...searchPage(tools),
    ...itemPage(tools),
    ...hotPage(tools),
    ...storyPage(tools),
    ...editionPages(tools),
    ...sourcesPage(tools),
    ...correctionsPage(tools),
    ...(mailing === null ? [] : subscribePages(tools, mailing)),
    ...(mailing?.errorReports ? reportErrorPage(tools, mailing) : []),
    ...writtenPages(tools),
    ...referencePages(tools, apis, guides),
    ...guidePages(tools, apis, guides),
    ...problemPages(tools, problems),
    ...previewRoutes(tools),
    sourcesOpml(tools),
    ...securityTxt(tools),
    ...assetRoutes(tools),
  ];
}

/** The pages around an account. */
export function accountPages(identity: Identity, anonymous: Surface): readonly RouteDeclaration[] {
  const tools = createPersonalTools(identity, anonymous);
  return [
    ...signInPages(tools),
    ...codePages(tools),
    ...passkeySignInPages(tools),
    ...signUpPages(tools),
    ...forgottenPasswordPages(tools),
    ...invitationPages(tools),
    ...overviewPages(tools),
    ...confirmationPages(tools),
    ...picturePages(tools),
    ...emailPages(tools),
    ...undoEmailPages(tools),
    ...securityPages(tools),
    ...sessionPages(tools),
    ...passwordPages(tools),
    ...secondFactorPages(tools),
    ...passkeyPages(tools),
    ...passwordOffPages(tools),
    ...(identity.openId === null ? [] : openIdPages(tools)),
    ...providerPages(tools),
    activityPage(tools),
    ...dataPages(tools),
    ...deletionPages(tools),
  ];
}

/** The API keys of an account, and the pages of an organization, for members with the right. */
export function platformPages(
  identity: Identity,
  access: Access,
  anonymous: Surface,
  /** Null where the installation stores no files. */
  storage: Pick<StorageDeps, 'bucket' | 'settings'> | null,
): readonly RouteDeclaration[] {
  const files = storage === null ? null : { ...access, ...storage };
  const tools = { ...createPersonalTools(identity, anonymous), access, files };
  return [
    ...apiKeyPages(tools),
    ...(files === null ? [] : limitedKeyPages(tools)),
    ...organizationPages(tools),
    ...memberPages(tools),
    ...auditPages(tools),
    ...tokenPages(tools),
    ...policyPages(tools),
    ...groupPages(tools),
    ...agentPages(tools),
    ...(files === null ? [] : filesPages({ ...tools, files })),
  ];
}

function filesPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [
    ...projectPages(tools),
    ...folderPages(tools),
    ...filePages(tools),
    ...downloadRoutes(tools),
    entrySearchPage(tools),
    ...trashPages(tools),
    ...sharePages(tools),
    sharedWithMePage(tools),
    ...pageUploadRoutes(tools),
  ];
}
