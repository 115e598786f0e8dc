import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';

import { members, permissions } from '../src/access/index.ts';
import { accessRoutes, createAccess, watchPermissions } from '../src/access/wiring.ts';
import { agentsRoutes } from '../src/agents/index.ts';
import { buildApi } from '../src/api.ts';
import { readConfig } from '../src/config/config.ts';
import { systemClock } from '../src/foundation/clock.ts';
import { connectDatabase } from '../src/foundation/database/database.ts';
import { readMigrations } from '../src/foundation/database/migration-files.ts';
import { startNotificationListener } from '../src/foundation/database/notification-listener.ts';
import { isoMicroseconds } from '../src/foundation/instant.ts';
import { createStrictLimiter } from '../src/foundation/limits/strict-limiter.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createIdentity, identityRoutes, watchCredentials } from '../src/identity/index.ts';
import { resetPassword } from '../src/identity/recovery/reset-password.ts';
import { createRecordReader } from '../src/record/wiring.ts';
import { accountPages, answerPages, platformPages, assetRoutes } from '../src/site/index.ts';
import { endForbiddenUploads } from '../src/storage/wiring.ts';
import { cursorKeysOf, openStorage } from '../src/wiring/accounts.ts';
import { openAnswerModels } from '../src/wiring/answer-models.ts';
import { createAnswerSources } from '../src/wiring/answer-sources.ts';
import { filesRoutes } from '../src/wiring/api-process.ts';
import { credentialKinds } from '../src/wiring/credential-kinds.ts';
import { openDesk } from '../src/wiring/newsroom.ts';
import { createScheduleFiles } from '../src/wiring/schedule-files.ts';
import type { AccountsProcessOptions, ProcessQuestion } from './accounts-stage.ts';
import { createTestClock } from './clock.ts';
import { guardCostRoutes } from './guard-cost-routes.ts';

// An api process for proofs and benchmarks: the account system as wiring builds it, with extra switches.
const options = JSON.parse(process.argv[2] ?? '{}') as AccountsProcessOptions;
const config = readConfig(options.settings);
const logger = createLogger(config.log.level, 'api');
const connect = (url: string) =>
  connectDatabase({
    url,
    name: 'accounts',
    connectionsMax: 10,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 5_000,
  });
const [application, newsReader] = [
  connect(config.database.applicationUrl),
  connect(config.database.newsReaderUrl),
];
const simulated = options.clockStart === null ? null : createTestClock(options.clockStart);
const clock = simulated ?? systemClock;
const identity = await createIdentity({
  database: application.database,
  clock,
  openInvitation: members.openInvitation,
  checkPermission: permissions.policyFaults,
  credentialKinds,
  settings: {
    ...config.identity,
    ...(options.hashingPlacesMax !== null && { hashing: { placesMax: options.hashingPlacesMax } }),
  },
  ...(options.signInsUnlimited && {
    createLimiter: ({ name, admittedMax }) => ({
      policy: { name, admittedMax, windowSeconds: 1 },
      admit: async () => ({ admitted: true as const, remaining: 1 }),
    }),
  }),
  ...(simulated !== null && {
    elapsedMs: simulated.nowMs,
    createLimiter: (limit) =>
      createStrictLimiter({
        ...limit,
        now: () => isoMicroseconds(simulated.now()),
        elapsedMs: simulated.nowMs,
      }),
  }),
});
const access = createAccess({
  identity,
  cursorKeys: cursorKeysOf(config),
  permissionsChanged: endForbiddenUploads,
});
const notifications = startNotificationListener({ url: config.database.directUrl });
if (options.notifications) {
  watchCredentials(notifications, (id) => {
    identity.authenticator.forget(id);
    access.forget(id);
  });
  watchPermissions(notifications, access.forget);
}
const storage = await openStorage(config);
const record = createRecordReader({ ...newsReader, searchDatabase: newsReader.database });
const answerSources = createAnswerSources(
  { record, clock, baseUrl: identity.baseUrl },
  storage === null ? null : access,
);
const { models: answerModels } = openAnswerModels(config, application.database, logger);
const scheduleFiles = storage === null ? null : createScheduleFiles({ ...access, ...storage });
const answering = { answerSources, answerModels, scheduleFiles, sendsMail: false };
const api = await buildApi({
  config,
  logger,
  clock: systemClock,
  migrations: await readMigrations(),
  application,
  newsReader,
  notifications,
  onContractViolation: null,
  routes: (tools) => [
    ...identityRoutes(identity, tools.anonymous),
    ...accessRoutes(access),
    ...agentsRoutes({ ...access, ...answering }),
    ...guardCostRoutes(identity),
    ...accountPages(identity, tools.anonymous),
    ...platformPages(
      identity,
      access,
      tools.anonymous,
      storage,
      openDesk(config, application.database, { ...systemClock, speed: 1 })?.deps ?? null,
    ),
    ...answerPages(identity, access, tools.anonymous, storage, answering),
    ...assetRoutes(tools),
    ...filesRoutes({ identity, access, storage }, tools.anonymous),
  ],
});
await api.server.listen({ host: '127.0.0.1', port: 0 });

const client = { address: '127.0.0.1', userAgent: 'prove' };

process.on('message', (question: ProcessQuestion) => {
  void answer(question).then((value) => process.send?.({ value }));
});
process.on('disconnect', () => process.exit(0));
// The process is killed, never stopped: it writes its compile cache now, for the next one.
flushCompileCache();
process.send?.({ value: (api.server.server.address() as AddressInfo).port });

async function answer(question: ProcessQuestion): Promise<unknown> {
  if (question.kind === 'hashes') return identity.hasher.count();
  if (question.kind === 'advance') {
    simulated?.advance({ seconds: question.seconds });
    return clock.nowMs();
  }
  const tries = question.passwords.map(async (password) => {
    await resetPassword(identity, { token: question.token, password, client });
    return password;
  });
  const results = await Promise.allSettled(tries);
  return results.filter((result) => result.status === 'fulfilled').map((result) => result.value);
}
