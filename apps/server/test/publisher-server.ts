import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

import { systemClock } from '../src/foundation/clock.ts';
import type { FetchOutcome, FetchRequest } from '../src/ingest/fetch/fetch-outcome.ts';
import type { Fetcher, FetcherOptions } from '../src/ingest/fetch/fetcher.ts';
import { createFetcher } from '../src/ingest/fetch/fetcher.ts';
import { userAgent } from '../src/ingest/fetch/user-agent.ts';

export interface PublisherServer {
  readonly fetcher: Fetcher;
  /** Every request, in order: `host path`. */
  readonly requests: string[];
  readonly port: number;
  /** The maximum of concurrent connections, and the total. */
  readonly connections: { open: number; most: number; all: number };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on loopback that answers for every `*.example`, and a fetcher that resolves them to it. */
export async function startPublisher(
  answer: Answer,
  options: Partial<FetcherOptions> = {},
): Promise<PublisherServer> {
  const requests: string[] = [];
  const connections = { open: 0, most: 0, all: 0 };
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  server.on('connection', (socket) => {
    connections.open += 1;
    connections.all += 1;
    connections.most = Math.max(connections.most, connections.open);
    socket.on('close', () => (connections.open -= 1));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  const fetcher = createFetcher({
    userAgent: userAgent('test', 'https://daybook.example/bot'),
    clock: systemClock,
    examplePort: port,
    ...options,
  });
  onTestFinished(async () => {
    await fetcher.close();
    server.closeAllConnections();
    server.close();
  });
  return { fetcher, requests, port, connections };
}

/** With bounds short enough for a test. */
export async function ask(
  { fetcher }: PublisherServer,
  url: string,
  more: Partial<FetchRequest> = {},
): Promise<FetchOutcome> {
  return fetcher.fetch({ url, accept: '*/*', bytesMax: 100_000, deadlineMs: 10_000, ...more });
}
