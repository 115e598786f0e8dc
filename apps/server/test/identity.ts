import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Access } from '../src/access/index.ts';
import { members, permissions } from '../src/access/index.ts';
import { accessRoutes, createAccess } from '../src/access/wiring.ts';
import type { answers } from '../src/agents/index.ts';
import { agentsRoutes } from '../src/agents/index.ts';
import type { RouteTools } from '../src/api.ts';
import type { RouteDeclaration } from '../src/foundation/http/route.ts';
import { createIdSource } from '../src/foundation/ids.ts';
import { isoMicroseconds } from '../src/foundation/instant.ts';
import { createStrictLimiter } from '../src/foundation/limits/strict-limiter.ts';
import { createCursorKeys } from '../src/foundation/pagination/cursor-keys.ts';
import type { AccountId } from '../src/identity/accounts/account.ts';
import type { Identity, IdentitySettings } from '../src/identity/identity.ts';
import { createIdentity, identityRoutes } from '../src/identity/identity.ts';
import { createOwner } from '../src/identity/registration/create-owner.ts';
import type { Fetcher } from '../src/ingest/fetch/fetcher.ts';
import { createSourceDesk } from '../src/ingest/source-desk.ts';
import { mcpRoute } from '../src/news/index.ts';
import type { DeskDeps } from '../src/newsroom/desk/index.ts';
import { deskLive, fetchLimit } from '../src/newsroom/desk/index.ts';
import { createPublisher, createRecordReader } from '../src/record/wiring.ts';
import {
  accountPages,
  answerPages,
  assetRoutes,
  platformPages,
  siteRoutes,
  watchPages,
} from '../src/site/index.ts';
import { draftPreviews } from '../src/site/public/draft-preview.ts';
import { watchMailPages } from '../src/site/public/watch-mail-pages.ts';
import { createFolderBucket } from '../src/storage/bucket/folder-bucket.ts';
import type { Bucket, StorageSettings } from '../src/storage/wiring.ts';
import { endForbiddenUploads, storageRoutes } from '../src/storage/wiring.ts';
import type { WatchDeps } from '../src/watch/index.ts';
import { watchRoutes } from '../src/watch/wiring.ts';
import type { OpenAnswerModels } from '../src/wiring/answer-models.ts';
import { createAnswerSources } from '../src/wiring/answer-sources.ts';
import { credentialKinds } from '../src/wiring/credential-kinds.ts';
import { createScheduleFiles } from '../src/wiring/schedule-files.ts';
import { savedSearchDeps } from '../src/wiring/watch.ts';
import type { TestApp } from './app.ts';
import { startTestApp } from './app.ts';
import { createTestClock } from './clock.ts';
import type { TestDatabase } from './database.ts';
import { createTestDatabase } from './database.ts';
import type { Answer } from './http-client.ts';
import { ask } from './http-client.ts';

export interface TestAccount {
  readonly id: AccountId;
  readonly email: string;
  readonly password: string;
  readonly username: string;
  readonly organizationKey: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly user: Readonly<Record<string, unknown>> & { readonly organizationId: string };
}

export interface TestIdentity {
  readonly app: TestApp;
  readonly database: TestDatabase;
  readonly identity: Identity;
  readonly access: Access;
  /** The bucket of files; empty at first. */
  readonly bucket: Bucket;
  readonly clock: ReturnType<typeof createTestClock>;
  readonly createAccount: () => Promise<TestAccount>;
  /** From a new address block each time: no request shares a rate limit or a sign-in counter with another. */
  readonly post: (path: string, json: unknown, options?: PostOptions) => Promise<Answer>;
  readonly signIn: (account: TestAccount) => Promise<Tokens>;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

export interface PostOptions {
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const testSecretKey = 'ab'.repeat(32);
export const testAuthUrl = 'https://accounts.example';

/** Small enough that a test can fill it. */
export const testStorage: StorageSettings = {
  quotaBytes: 10_000_000,
  guestQuotaPercent: 5,
  guestsQuotaPercent: 20,
  personQuotaPercent: 100,
  membersQuotaPercent: 95,
  graceDays: 30,
  scanner: null,
  unscannableFor: 'uploader',
  rescansPerHour: 0,
  origins: [],
  previewUrl: null,
  nginxToken: null,
};

export interface TestIdentityOptions extends Partial<IdentitySettings> {
  /** Instead of a separate folder. */
  readonly bucket?: Bucket;
  readonly files?: Partial<StorageSettings>;
  /** With the pages that a browser opens. */
  readonly pages?: boolean;
  /** With the public pages too. */
  readonly site?: boolean;
  /** With the endpoint of MCP. */
  readonly mcp?: boolean;
  /** The key of the organization that owns the newsroom: `team-1` is that of the first account. */
  readonly newsroomOrganization?: string;
  /** For the requests of the desk to publishers; without it, each one fails. */
  readonly newsroomFetcher?: Fetcher;
  /** The language models of agents. */
  readonly answerModels?: (database: TestDatabase) => OpenAnswerModels;
}

/** The sources of answers in the record of a test. */
function testAnswerSources(
  { database, pool }: TestDatabase,
  deps: { readonly clock: ReturnType<typeof createTestClock>; readonly baseUrl: string },
): answers.AnswerSources {
  const record = createRecordReader({ database, pool, searchDatabase: database });
  return createAnswerSources({ ...deps, record }, { database });
}

const testNews = ({ baseUrl }: Identity) => ({ baseUrl, storyLayer: true, language: 'en' }) as const;

/** The targets of links in mail about saved searches. */
function testWatchMailPages(
  tools: RouteTools,
  { database, pool }: TestDatabase,
  identity: Identity,
  watch: WatchDeps,
): readonly RouteDeclaration[] {
  const record = createRecordReader({ database, pool, searchDatabase: database });
  return watchMailPages({ ...tools, ...testNews(identity), record, clock: identity.clock }, watch);
}

function testSite(
  tools: RouteTools,
  { database, pool }: TestDatabase,
  identity: Identity,
  watch: WatchDeps,
): readonly RouteDeclaration[] {
  const record = createRecordReader({ database, pool, searchDatabase: database });
  const site = { ...tools, ...testNews(identity), record, clock: identity.clock, savesSearches: true };
  return siteRoutes(site, [], [], null, null, watch);
}

/** The private addresses of drafts. */
function testPreviews(
  tools: RouteTools,
  { database, pool }: TestDatabase,
  desk: DeskDeps,
  baseUrl: string,
): readonly RouteDeclaration[] {
  const record = createRecordReader({ database, pool, searchDatabase: database });
  const { clock } = desk;
  return draftPreviews({ ...tools, record, clock, baseUrl, storyLayer: true, language: 'en' }, desk);
}

/** The account system and the platform over HTTP on a separate database, behind a trusted proxy, with a clock that the test moves. */
export async function startTestIdentity({
  pages = false,
  site = false,
  mcp = false,
  bucket: givenBucket,
  files: givenFiles = {},
  newsroomOrganization,
  newsroomFetcher,
  answerModels: openModels,
  ...settings
}: TestIdentityOptions = {}): Promise<TestIdentity> {
  const database = await createTestDatabase();
  const clock = createTestClock('2026-11-15T00:00:00.000Z');
  const identity = await createIdentity({
    database: database.database,
    clock,
    openInvitation: members.openInvitation,
    checkPermission: permissions.policyFaults,
    credentialKinds,
    elapsedMs: clock.nowMs,
    createLimiter: (limit) =>
      createStrictLimiter({
        ...limit,
        now: () => isoMicroseconds(clock.now()),
        elapsedMs: clock.nowMs,
      }),
    settings: {
      authUrl: testAuthUrl,
      baseUrl: 'https://daybook.example',
      secretKeys: [testSecretKey],
      hashing: { runningMax: 2 },
      credentialRequestsPerMinute: 600,
      openId: null,
      ...settings,
    },
  });
  const cursorKeys = createCursorKeys([randomBytes(32)]);
  const access = createAccess({
    identity,
    cursorKeys,
    elapsedMs: clock.nowMs,
    permissionsChanged: endForbiddenUploads,
  });
  const fileSettings = { ...testStorage, ...givenFiles };
  const files = await mkdtemp(join(tmpdir(), 'daybook-files-'));
  const bucket = givenBucket ?? (await createFolderBucket(files));
  const desk =
    newsroomOrganization === undefined
      ? null
      : testDesk(database, clock, newsroomOrganization, newsroomFetcher);
  const answerSources = testAnswerSources(database, { clock, baseUrl: identity.baseUrl });
  const openedModels = openModels?.(database) ?? null;
  const answerModels = openedModels?.models ?? null;
  const answering = {
    answerSources,
    answerModels,
    scheduleFiles: createScheduleFiles({ ...access, bucket, settings: fileSettings }),
    sendsMail: true,
  };
  const watch = savedSearchDeps({ identity, access }, testNews(identity));
  const app = await startTestApp({
    database,
    clock,
    settings: { DAYBOOK_TRUSTED_PROXIES: '127.0.0.1' },
    routes: (tools) => {
      const { anonymous } = tools;
      const ofPages = [
        ...accountPages(identity, anonymous),
        ...platformPages(identity, access, anonymous, { bucket, settings: fileSettings }, desk),
        ...answerPages(identity, access, anonymous, { bucket, settings: fileSettings }, answering),
        ...(desk === null ? [] : testPreviews(tools, database, desk, identity.baseUrl)),
        ...watchPages(identity, anonymous, watch, true),
        ...(site ? [] : testWatchMailPages(tools, database, identity, watch)),
      ];
      return [
        ...identityRoutes(identity, anonymous),
        ...accessRoutes(access),
        ...agentsRoutes({ ...access, ...answering }),
        ...storageRoutes(
          { ...access, bucket, settings: fileSettings, surface: identity.dataSurface },
          anonymous,
          identity.baseUrl,
        ),
        ...watchRoutes(watch, anonymous),
        ...(pages ? ofPages : []),
        ...(mcp ? [mcpRoute(tools, { baseUrl: identity.baseUrl, clock })] : []),
        ...(pages && !site ? assetRoutes(tools) : []),
        ...(site ? testSite(tools, database, identity, watch) : []),
      ];
    },
  });
  let made = 0;
  const nextAddress = (): string => {
    made += 1;
    return `10.${(made >> 8) & 255}.${made & 255}.1`;
  };
  const post: TestIdentity['post'] = (path, json, { from, headers } = {}) =>
    ask(app.port, path, {
      method: 'POST',
      json,
      headers: { 'x-forwarded-for': from ?? nextAddress(), ...headers },
    });
  return {
    app,
    database,
    identity,
    access,
    bucket,
    clock,
    post,
    createAccount: async () => {
      made += 1;
      const account = {
        username: `member-${made}`,
        email: `member-${made}@example.org`,
        password: `correct horse ${made}`,
      };
      const organization = { key: `team-${made}`, name: `Team ${made}` };
      const id = await createOwner(identity, {
        ...account,
        name: `Member ${made}`,
        organization,
        superuser: false,
      });
      return { ...account, id, organizationKey: organization.key };
    },
    signIn: async ({ email, password }) => {
      const answer = await post('/api/auth/token', { email, password });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.json() as unknown as Tokens;
    },
    get: (path, headers = {}) => ask(app.port, path, { headers }),
    stop: async () => {
      await app.stop();
      await openedModels?.close();
      await database.drop();
      await rm(files, { recursive: true });
    },
  };
}

const noFetcher: Fetcher = {
  fetch: () => Promise.reject(new Error('this test has no publishers')),
  release: async () => {},
  close: async () => {},
};

/** The parts of the desk's pages. */
export function testDesk(
  { database }: Pick<TestDatabase, 'database'>,
  clock: ReturnType<typeof createTestClock>,
  organization: string,
  fetcher: Fetcher = noFetcher,
): DeskDeps {
  const ids = createIdSource({ clock, randomBytes });
  const publisher = createPublisher({ database, clock, ids });
  const sources = createSourceDesk({
    database,
    clock,
    ids,
    publisher,
    fetcher,
    random: () => 0,
    pace: { intervalMinMs: 600_000, intervalMaxMs: 21_600_000, spacingMs: 0 },
    poller: {
      transaction: (work) => database.transaction().execute(work),
      signal: new AbortController().signal,
    },
  });
  const fetchLimiter = createStrictLimiter({ database, ...fetchLimit });
  const events = deskLive.createDeskEvents({ database, pollEveryMs: 50 });
  return { organization, database, clock, ids, publisher, sources, fetchLimiter, events, language: 'en' };
}
