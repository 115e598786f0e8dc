import { createAccess, createAuthorize, describePlatformApi } from '../src/access/index.ts';
import { RepresentationCache } from '../src/foundation/cache/representation-cache.ts';
import { TopicVersions } from '../src/foundation/cache/topic-versions.ts';
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
import { platformRoutes } from '../src/wiring.ts';

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
    takeToken: () => 0,
    deniedAddresses: parseCidrList([]),
    deniedUserAgents: [],
  });
  return { database, pool, anonymous };
}

/** The routes as declared, over a database that nobody will ask. */
export function declaredNewsRoutes(): readonly RouteDeclaration[] {
  const { database, pool, anonymous } = unasked();
  const cache = new RepresentationCache({
    versions: new TopicVersions(),
    nowMs: systemClock.nowMs,
    entriesMax: 1,
    bytesMax: 1,
    freshForMs: 1,
    rebuildEveryMs: 1,
    staleWaitMs: 1,
    onBuildError: () => {},
  });
  const news = { database, pool, searchDatabase: database, clock: systemClock, baseUrl, storyLayer: true };
  return newsRoutes({ anonymous, cache }, news);
}

/** What `docs/openapi-v1.json` should hold. */
export function writeDescription(): string {
  return `${JSON.stringify(describeNewsApi(declaredNewsRoutes(), baseUrl), null, 2)}\n`;
}

function unaskedIdentity(database: Database): Promise<Identity> {
  return createIdentity({
    database,
    clock: systemClock,
    engine: { enqueue: async () => {} },
    authorize: createAuthorize(database),
    settings: {
      authUrl: baseUrl,
      baseUrl,
      secretKeys: ['00'.repeat(32)],
      hashingThreads: 1,
      hashingPlacesMax: 1,
      credentialRequestsPerMinute: 600,
      openId: null,
    },
  });
}

/** What `docs/openapi-accounts.json` should hold. */
export async function writeAccountsDescription(): Promise<string> {
  const { database, anonymous } = unasked();
  const routes = identityRoutes(await unaskedIdentity(database), anonymous);
  return `${JSON.stringify(describeAccountsApi(routes, baseUrl), null, 2)}\n`;
}

/** Every route under `/dm/api`, and its description. */
export async function declaredPlatformRoutes(): Promise<readonly RouteDeclaration[]> {
  const { database, anonymous } = unasked();
  const identity = await unaskedIdentity(database);
  const access = createAccess({ identity, cursorKeys: createCursorKeys([Buffer.alloc(32)]) });
  return platformRoutes({ identity, access }, anonymous);
}

/** What `docs/openapi-platform.json` should hold. */
export async function writePlatformDescription(): Promise<string> {
  return `${JSON.stringify(describePlatformApi(await declaredPlatformRoutes(), baseUrl), null, 2)}\n`;
}
