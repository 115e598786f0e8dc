import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PurgeRequest {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

export interface PurgeServer {
  readonly url: string;
  readonly requests: readonly PurgeRequest[];
  /** Sets its response from now on. */
  answer: { readonly status: number; readonly body: string };
  readonly close: () => Promise<void>;
}

/** Replaces the interface of a shared cache and records the requests. */
export async function startPurgeServer(): Promise<PurgeServer> {
  const requests: PurgeRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        atMs: performance.now(),
      });
      response.writeHead(started.answer.status).end(started.answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started: PurgeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: { status: 200, body: '{"success":true}' },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}
