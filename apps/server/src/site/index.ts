import type { Access } from '../access/index.ts';
import type { answers } from '../agents/index.ts';
import type { ScheduleDeps } from '../agents/schedules/index.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { ProblemDefinition } from '../foundation/problem.ts';
import type { Identity } from '../identity/index.ts';
import type { ErrorReportDeps } from '../mailing/error-reports/index.ts';
import type { Mailing } from '../mailing/index.ts';
import type { DeskDeps } from '../newsroom/desk/index.ts';
import { deskQueue } from '../newsroom/desk/index.ts';
import type { StorageDeps } from '../storage/index.ts';
import type { WatchDeps } from '../watch/index.ts';
import { activityPage } from './console/account/activity-page.ts';
import { apiKeyPages } from './console/account/api-key-pages.ts';
import { dataPages } from './console/account/data-pages.ts';
import { deletionPages } from './console/account/deletion-pages.ts';
import { emailPages } from './console/account/email-pages.ts';
import { confirmationPages } from './console/account/guarded-form.ts';
import { languageForm } from './console/account/language-form.ts';
import { limitedKeyPages } from './console/account/limited-key-pages.ts';
import { overviewPages } from './console/account/overview-page.ts';
import { passkeyPages } from './console/account/passkey-pages.ts';
import { passwordOffPages } from './console/account/password-off-pages.ts';
import { passwordPages } from './console/account/password-pages.ts';
import { picturePages } from './console/account/picture-pages.ts';
import { providerPages } from './console/account/provider-pages.ts';
import { secondFactorPages } from './console/account/second-factor-pages.ts';
import { securityPages } from './console/account/security-pages.ts';
import { sessionPages } from './console/account/session-pages.ts';
import { answerPages as askingPages } from './console/agents/answer-pages.ts';
import { budgetPages } from './console/agents/budget-pages.ts';
import { schedulePages } from './console/agents/schedule-pages.ts';
import { versionPages } from './console/agents/version-pages.ts';
import { componentPage } from './console/components/component-page.ts';
import { createPersonalTools } from './console/console-route.ts';
import { bulkPages } from './console/desk/bulk-pages.ts';
import type { DeskTools } from './console/desk/desk-frame.ts';
import { draftPages } from './console/desk/draft-pages.ts';
import { entryPages } from './console/desk/entry-pages.ts';
import { itemListPage } from './console/desk/item-list-page.ts';
import { itemPages } from './console/desk/item-pages.ts';
import { journalPages } from './console/desk/journal-pages.ts';
import { liveRoutes } from './console/desk/live-routes.ts';
import { operationsPages } from './console/desk/operations-pages.ts';
import { queuePages } from './console/desk/queue-pages.ts';
import { sourceAddPages } from './console/desk/source-add-pages.ts';
import { sourcePages } from './console/desk/source-pages.ts';
import { storyPages } from './console/desk/story-pages.ts';
import { withdrawPages } from './console/desk/withdraw-pages.ts';
import { forgottenPasswordPages } from './console/joining/forgotten-password-pages.ts';
import { invitationPages } from './console/joining/invitation-pages.ts';
import { signUpPages } from './console/joining/sign-up-pages.ts';
import { undoEmailPages } from './console/joining/undo-email-pages.ts';
import { agentPages } from './console/platform/agent-pages.ts';
import { auditPages } from './console/platform/audit-pages.ts';
import { groupPages } from './console/platform/group-pages.ts';
import { memberPages } from './console/platform/member-pages.ts';
import { organizationPages } from './console/platform/organization-pages.ts';
import { policyPages } from './console/platform/policy-pages.ts';
import { searchPage as consoleSearchPage } from './console/platform/search-page.ts';
import { tokenPages } from './console/platform/token-pages.ts';
import { codePages } from './console/sign-in/code-pages.ts';
import { openIdPages } from './console/sign-in/openid-pages.ts';
import { passkeySignInPages } from './console/sign-in/passkey-sign-in-pages.ts';
import { signInPages } from './console/sign-in/sign-in-pages.ts';
import { deletedProjectPages } from './console/storage/deleted-project-pages.ts';
import { downloadRoutes } from './console/storage/download-routes.ts';
import { entrySearchPages } from './console/storage/entry-search-page.ts';
import { filePages } from './console/storage/file-pages.ts';
import { folderPages } from './console/storage/folder-pages.ts';
import { linkPages } from './console/storage/link-pages.ts';
import { projectPages } from './console/storage/project-pages.ts';
import { quotaPages } from './console/storage/quota-pages.ts';
import { selectionPages } from './console/storage/selection-pages.ts';
import { sharePages } from './console/storage/share-pages.ts';
import { sharedWithMePage } from './console/storage/shared-with-me-page.ts';
import type { StorageTools } from './console/storage/storage-frame.ts';
import { textPage } from './console/storage/text-page.ts';
import { trashPages } from './console/storage/trash-pages.ts';
import { pageUploadRoutes, uploadFormRoute } from './console/storage/upload-route.ts';
import { watchPages as savedSearchPages } from './console/watch/watch-pages.ts';
import { archivePage } from './public/archive-page.ts';
import { correctionsPage } from './public/corrections-page.ts';
import { devicePage } from './public/device-page.ts';
import { draftPreviews } from './public/draft-preview.ts';
import { editionPages } from './public/edition-pages.ts';
import { embedPages } from './public/embed-pages.ts';
import { frontPage } from './public/front-page.ts';
import { historyPages } from './public/history-pages.ts';
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
import { assetRoutes, installationFiles, securityTxt, sourcesOpml } from './public/site-files.ts';
import { sourcesPage } from './public/sources-page.ts';
import { storyPage } from './public/story-page.ts';
import { subscribePages } from './public/subscribe-pages.ts';
import { timelinePage } from './public/timeline-page.ts';
import { verifyPage } from './public/verify-page.ts';
import { watchMailPages } from './public/watch-mail-pages.ts';
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
  /** Null where no organization owns the newsroom. */
  desk: DeskDeps | null = null,
  /** Null without accounts. */
  watch: WatchDeps | null = null,
): readonly RouteDeclaration[] {
  const guides = readGuides();
  return [
    ...frontPage(tools),
    ...timelinePage(tools),
    ...searchPage(tools),
    ...itemPage(tools),
    ...hotPage(tools),
    ...storyPage(tools),
    ...embedPages(tools),
    ...devicePage(tools),
    ...editionPages(tools),
    ...sourcesPage(tools),
    ...archivePage(tools),
    ...correctionsPage(tools),
    ...historyPages(tools),
    ...verifyPage(tools),
    ...(mailing === null ? [] : subscribePages(tools, mailing)),
    ...(watch === null ? [] : watchMailPages(tools, watch)),
    ...(mailing?.errorReports ? reportErrorPage(tools, { ...mailing, ...storedForDesk(desk) }) : []),
    ...writtenPages(tools),
    ...referencePages(tools, apis, guides),
    ...guidePages(tools, apis, guides),
    ...problemPages(tools, problems),
    ...previewRoutes(tools),
    ...(desk === null ? [] : draftPreviews(tools, desk)),
    sourcesOpml(tools),
    ...securityTxt(tools),
    ...installationFiles(tools),
    ...assetRoutes(tools),
  ];
}

/** Readers' errors are in the queue of the desk as well. */
function storedForDesk(desk: DeskDeps | null): Pick<ErrorReportDeps, 'storeForDesk'> {
  return desk === null ? {} : { storeForDesk: deskQueue.insertReaderReport };
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
    languageForm(tools),
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
    ...componentPage(tools),
  ];
}

/** The API keys of an account, and the pages of an organization, for members with the right. */
export function platformPages(
  identity: Identity,
  access: Access,
  anonymous: Surface,
  /** Null where the installation stores no files. */
  storage: Pick<StorageDeps, 'bucket' | 'settings'> | null,
  /** Null where no organization owns the newsroom. */
  desk: DeskDeps | null = null,
): readonly RouteDeclaration[] {
  const tools = platformTools(identity, access, anonymous, storage, desk);
  const { files } = tools;
  return [
    ...apiKeyPages(tools),
    ...(files === null ? [] : limitedKeyPages(tools)),
    ...organizationPages(tools),
    ...memberPages(tools),
    ...auditPages(tools),
    ...tokenPages(tools),
    ...policyPages(tools),
    consoleSearchPage(tools),
    ...groupPages(tools),
    ...agentPages(tools),
    ...(files === null ? [] : filesPages({ ...tools, files })),
    ...(desk === null ? [] : deskPages({ ...tools, desk })),
  ];
}

function platformTools(
  identity: Identity,
  access: Access,
  anonymous: Surface,
  storage: Pick<StorageDeps, 'bucket' | 'settings'> | null,
  desk: DeskDeps | null,
) {
  return {
    ...createPersonalTools(identity, anonymous),
    access,
    files: storage === null ? null : { ...access, ...storage },
    newsroomOrganization: desk?.organization ?? null,
  };
}

/** The pages of editors, in the organization that owns the newsroom. */
function deskPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    ...queuePages(tools),
    ...bulkPages(tools),
    ...entryPages(tools),
    itemListPage(tools),
    ...itemPages(tools),
    ...withdrawPages(tools),
    ...storyPages(tools),
    ...draftPages(tools),
    ...sourceAddPages(tools),
    ...sourcePages(tools),
    ...journalPages(tools),
    ...operationsPages(tools),
    ...liveRoutes(tools),
  ];
}

/** The pages on which members ask agents, schedule questions and limit what models cost. */
export function answerPages(
  identity: Identity,
  access: Access,
  anonymous: Surface,
  storage: Pick<StorageDeps, 'bucket' | 'settings'> | null,
  answering: Pick<answers.AnswerDeps, 'answerSources' | 'answerModels'> &
    Pick<ScheduleDeps, 'scheduleFiles' | 'sendsMail'>,
  desk: DeskDeps | null = null,
): readonly RouteDeclaration[] {
  const tools = { ...platformTools(identity, access, anonymous, storage, desk), ...answering };
  return [...askingPages(tools), ...schedulePages(tools), ...budgetPages(tools), ...versionPages(tools)];
}

/** The saved searches of an account. */
export function watchPages(
  identity: Identity,
  anonymous: Surface,
  watch: WatchDeps,
  sendsMail: boolean,
): readonly RouteDeclaration[] {
  return savedSearchPages({ ...createPersonalTools(identity, anonymous), watch, sendsMail });
}

function filesPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [
    ...projectPages(tools),
    ...deletedProjectPages(tools),
    ...quotaPages(tools),
    ...selectionPages(tools),
    uploadFormRoute(tools),
    ...folderPages(tools),
    ...filePages(tools),
    textPage(tools),
    ...downloadRoutes(tools),
    ...linkPages(tools),
    ...entrySearchPages(tools),
    ...trashPages(tools),
    ...sharePages(tools),
    sharedWithMePage(tools),
    ...pageUploadRoutes(tools),
  ];
}
