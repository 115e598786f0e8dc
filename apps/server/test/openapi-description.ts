import { members, permissions } from '../src/access/index.ts';
import { createAccess, describePlatformApi } from '../src/access/wiring.ts';
import { CacheTagVersions } from '../src/foundation/cache/cache-tag-versions.ts';
import { RepresentationCache } from '../src/foundation/cache/representation-cache.ts';
import { systemClock } from '../src/foundation/clock.ts';
import type { Database } from '../src/foundation/database/database.ts';
import type { DatabaseConnection } from '../src/foundation/database/database.ts';
import { connectDatabase } from '../src/foundation/database/database.ts';
import { createAnonymousSurface } from '../src/foundation/http/anonymous-surface.ts';
import { parseCidrList } from '../src/foundation/http/client-address.ts';
import type { RouteDeclaration } from '../src/foundation/http/route.ts';
import type { Surface } from '../src/foundation/http/surface.ts';
import { createCursorKeys } from '../src/foundation/pagination/cursor-keys.ts';
import type { Identity } from '../src/identity/index.ts';
import { createIdentity, describeAccountsApi, identityRoutes } from '../src/identity/index.ts';
import { describeNewsApi, newsRoutes } from '../src/news/index.ts';
import { createRecordReader } from '../src/record/wiring.ts';
import type { Bucket } from '../src/storage/wiring.ts';
import { describeStorageApi, endForbiddenUploads } from '../src/storage/wiring.ts';
import { describeWatchApi, watchRoutes } from '../src/watch/wiring.ts';
import type { Accounts } from '../src/wiring/accounts.ts';
import { createAnswerSources } from '../src/wiring/answer-sources.ts';
import { filesRoutes, platformRoutes, publicRoutes } from '../src/wiring/api-process.ts';
import { credentialKinds } from '../src/wiring/credential-kinds.ts';
import { savedSearchDeps } from '../src/wiring/watch.ts';

const baseUrl = 'https://daybook.example';

function unasked(): Pick<DatabaseConnection, 'database' | 'pool'> & { readonly anonymous: Surface } {
  const { database, pool } = connectDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    name: 'none',
    connectionsMax: 1,
    statementTimeoutMs: 1,
    connectTimeoutMs: 1,
  });
  const anonymous = createAnonymousSurface({
    requestsPerMinute: 600,
    takeToken: () => 0,
    deniedAddresses: parseCidrList([]),
    deniedUserAgents: [],
  });
  return { database, pool, anonymous };
}

/** The declared routes, over a database that is never queried. */
export function declaredNewsRoutes(): readonly RouteDeclaration[] {
  const { database, pool, anonymous } = unasked();
  const record = createRecordReader({ database, pool, searchDatabase: database });
  const news = { record, clock: systemClock, baseUrl, storyLayer: true, language: 'en' } as const;
  return newsRoutes({ anonymous, cache: unusedCache() }, news);
}

function unusedCache(): RepresentationCache {
  return new RepresentationCache({
    versions: new CacheTagVersions(),
    nowMs: systemClock.nowMs,
    entriesMax: 1,
    bytesMax: 1,
    freshForMs: 1,
    rebuildEveryMs: 1,
    staleWaitMs: 1,
    onBuildError: () => {},
  });
}

/** All routes of an api process in either setting of its language, over a database that is never queried. */
export async function declaredRoutes(): Promise<readonly RouteDeclaration[]> {
  const { database, pool, anonymous } = unasked();
  const record = createRecordReader({ database, pool, searchDatabase: database });
  const news = { record, clock: systemClock, baseUrl, storyLayer: true };
  const accounts = await unusedAccounts();
  return (['en', 'zh'] as const).flatMap((language) =>
    publicRoutes({ anonymous, cache: unusedCache() }, { ...news, language }, accounts),
  );
}

/** The expected content of `docs/openapi-v1.json`. */
export function writeDescription(): string {
  return `${JSON.stringify(describeNewsApi(declaredNewsRoutes(), baseUrl), null, 2)}\n`;
}

function unusedIdentity(database: Database): Promise<Identity> {
  return createIdentity({
    database,
    clock: systemClock,
    openInvitation: members.openInvitation,
    checkPermission: permissions.policyFaults,
    credentialKinds,
    settings: {
      authUrl: baseUrl,
      baseUrl,
      secretKeys: ['00'.repeat(32)],
      credentialRequestsPerMinute: 600,
      openId: null,
    },
  });
}

const unusedBucket = {} as Bucket;

/** Accounts whose routes can be declared and described. */
export async function unusedAccounts(): Promise<Accounts> {
  const identity = await unusedIdentity(unasked().database);
  const access = createAccess({
    identity,
    cursorKeys: createCursorKeys([Buffer.alloc(32)]),
    permissionsChanged: endForbiddenUploads,
  });
  return {
    identity,
    access,
    storage: {
      bucket: unusedBucket,
      settings: {
        quotaBytes: 0,
        guestQuotaPercent: 5,
        guestsQuotaPercent: 20,
        personQuotaPercent: 100,
        membersQuotaPercent: 95,
        graceDays: 0,
        scanner: null,
        unscannableFor: 'uploader',
        rescansPerHour: 0,
        origins: [],
        previewUrl: null,
        nginxToken: null,
      },
    },
  };
}

export async function declaredAccountRoutes(): Promise<readonly RouteDeclaration[]> {
  const { database, anonymous } = unasked();
  return identityRoutes(await unusedIdentity(database), anonymous);
}

/** The expected content of `docs/openapi-accounts.json`. */
export async function writeAccountsDescription(): Promise<string> {
  return `${JSON.stringify(describeAccountsApi(await declaredAccountRoutes(), baseUrl), null, 2)}\n`;
}

/** Every route under `/dm/api`, and its description. */
export async function declaredPlatformRoutes(): Promise<readonly RouteDeclaration[]> {
  const { database, pool, anonymous } = unasked();
  const record = createRecordReader({ database, pool, searchDatabase: database });
  const answerSources = createAnswerSources({ record, clock: systemClock, baseUrl }, null);
  const answering = { answerSources, answerModels: null, scheduleFiles: null, sendsMail: false };
  return platformRoutes(await unusedAccounts(), anonymous, answering);
}

/** The expected content of `docs/openapi-platform.json`. */
export async function writePlatformDescription(): Promise<string> {
  return `${JSON.stringify(describePlatformApi(await declaredPlatformRoutes(), baseUrl), null, 2)}\n`;
}

export async function declaredStorageRoutes(): Promise<readonly RouteDeclaration[]> {
  return filesRoutes(await unusedAccounts(), unasked().anonymous);
}

/** The expected content of `docs/openapi-storage.json`. */
export async function writeStorageDescription(): Promise<string> {
  return `${JSON.stringify(describeStorageApi(await declaredStorageRoutes(), baseUrl), null, 2)}\n`;
}

export async function declaredWatchRoutes(): Promise<readonly RouteDeclaration[]> {
  const news = { baseUrl, storyLayer: true, language: 'en' } as const;
  return watchRoutes(savedSearchDeps(await unusedAccounts(), news), unasked().anonymous);
}

/** The expected content of `docs/openapi-watch.json`. */
export async function writeWatchDescription(): Promise<string> {
  return `${JSON.stringify(describeWatchApi(await declaredWatchRoutes(), baseUrl), null, 2)}\n`;
}
