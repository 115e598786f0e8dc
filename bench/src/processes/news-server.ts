import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { createRecordReader } from '../../../apps/server/src/record/wiring.ts';
import { publicRoutes } from '../../../apps/server/src/wiring/api-process.ts';
import type { BareAnswer } from '../bare-fastify.ts';
import { listenBareFastify } from '../bare-fastify.ts';
import { listenMeasuredApi } from '../measured-api.ts';
import { cachedPages, cachedPaths } from '../news/cached-paths.ts';
import { clockFromLoading } from '../news/news-moment.ts';
import { announceReady } from '../server-usage.ts';

// The news api, or a bare server that repeats the responses of the one at the given address.
const [kind = '', origin = ''] = process.argv.slice(2);
const logger = createLogger('info', 'bench');

async function listenDaybook(): Promise<number> {
  const clock = clockFromLoading();
  return listenMeasuredApi({ logger, clock }, ({ anonymous, cache, config, newsReader }) =>
    publicRoutes(
      { anonymous, cache },
      {
        ...config.news,
        record: createRecordReader({
          database: newsReader.database,
          pool: newsReader.pool,
          searchDatabase: newsReader.database,
        }),
        clock,
        language: config.site.language,
      },
    ),
  );
}

async function listenBare(): Promise<number> {
  const answers: BareAnswer[] = [];
  for (const path of [...cachedPaths, ...cachedPages]) {
    const found = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } });
    const body = Buffer.from(await found.arrayBuffer());
    answers.push({ path, status: 200, headers: ownHeaders(found), body });
    const unchanged = await fetch(origin + path, {
      headers: { 'if-none-match': found.headers.get('etag') ?? '' },
    });
    answers.push({ path: `/unchanged${path}`, status: unchanged.status, headers: ownHeaders(unchanged) });
  }
  return listenBareFastify(logger, answers);
}

/** Without those that every server sets for each response. */
function ownHeaders({ headers }: Response): Readonly<Record<string, string>> {
  const written = new Set(['date', 'connection', 'keep-alive', 'content-length', 'x-request-id']);
  return Object.fromEntries([...headers].filter(([name]) => !written.has(name)));
}

const listen = { daybook: listenDaybook, bare: listenBare }[kind];
if (listen === undefined) throw new Error('usage: news-server.ts daybook | bare <address>');
announceReady({ port: await listen() });
