import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { migrateEngine } from '../../../apps/server/src/foundation/engine/engine-schema.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';
import { startNginx } from '../http/nginx.ts';
import { startVarnish } from '../http/varnish.ts';
import type { NewsStage } from './news-stage.ts';
import { baseUrl } from './news-stage.ts';

/** Two api processes and a worker behind nginx and behind Varnish, both configured as we ship them. */
export interface EdgeStage {
  readonly edges: readonly { readonly name: 'nginx' | 'varnish'; readonly port: number }[];
  readonly apiPorts: readonly [number, number];
  /** Both at once, with `kill -9`. */
  readonly killApis: () => Promise<void>;
  readonly startApis: () => Promise<void>;
  /** Between the worker and Varnish: while it is closed, no purge arrives. */
  readonly purgeRoute: { open: boolean };
  readonly remove: () => Promise<void>;
}

const token = 'a-token-of-the-edge-proof';

export async function setEdgeStage(root: string, { urls }: NewsStage): Promise<EdgeStage> {
  await migrateEngine(urls.owner, createLogger('silent', 'prove'));
  const [one = 0, two = 0, workerPort = 0, nginxPort = 0, varnishPort = 0] = await freePorts(5);
  const purgeRoute = { open: true };
  const route = await startRoute(varnishPort, () => purgeRoute.open);
  const settings = {
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DAYBOOK_BASE_URL: baseUrl,
    DAYBOOK_DRAIN_NOTICE_MS: '0',
    DAYBOOK_TRUSTED_PROXIES: '127.0.0.1',
    DAYBOOK_RATE_PER_MINUTE: '1000000',
    DAYBOOK_VARNISH_URLS: `http://127.0.0.1:${(route.address() as AddressInfo).port}`,
    DAYBOOK_VARNISH_TOKEN: token,
  };
  let apis: readonly DaybookChild[] = [];
  const startApis = async (): Promise<void> => {
    apis = await Promise.all([one, two].map((port) => startDaybook(root, 'api', port, settings)));
  };
  const killApis = async (): Promise<void> => {
    await Promise.all(
      apis.map(async ({ process: child }) => {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
  };
  const [worker] = await Promise.all([startDaybook(root, 'worker', workerPort, settings), startApis()]);
  const nginx = await startNginx(root, nginxPort, [one, two]);
  const varnish = await startVarnish(root, { port: varnishPort, upstreams: [one, two], token });
  return {
    edges: [
      { name: 'nginx', port: nginxPort },
      { name: 'varnish', port: varnishPort },
    ],
    apiPorts: [one, two],
    killApis,
    startApis,
    purgeRoute,
    remove: async () => {
      await nginx.stop();
      await varnish.stop();
      await worker.stop();
      await killApis();
      route.close();
    },
  };
}

/** Passes connections on while it is open, and resets them otherwise. */
async function startRoute(to: number, isOpen: () => boolean): Promise<Server> {
  const server = createServer((client) => {
    if (!isOpen()) {
      client.resetAndDestroy();
      return;
    }
    const onward = connect(to, '127.0.0.1');
    const end = (socket: Socket) => (): void => void socket.destroy();
    client.on('error', end(onward)).on('close', end(onward)).pipe(onward);
    onward.on('error', end(client)).on('close', end(client)).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
