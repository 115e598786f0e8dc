import { randomInt, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { finished } from 'node:stream/promises';

import type { CallbackPage } from './callback-page.ts';
import { callbackHeaders, ignoredPage, renderPage } from './callback-page.ts';
import { LoginError } from './login-host.ts';

export const portMin = 49_152;
export const portMax = 65_535;
const portTriesMax = 20;

export interface CallbackListener {
  readonly port: number;
  /** The first callback with the right state; the browser shows the result of `conclude`. */
  readonly receive: (timeoutMs: number, conclude: (code: string) => Promise<CallbackPage>) => Promise<void>;
  readonly close: () => Promise<void>;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Listens on both loopback addresses, because `localhost` can mean either, and no other program may listen on one of
 * them. Requests other than the expected callback are refused and change nothing.
 */
export async function listenForCallback(
  state: string,
  nextPort: () => number = () => randomInt(portMin, portMax + 1),
): Promise<CallbackListener> {
  const arrival = Promise.withResolvers<{ readonly code: string; readonly response: ServerResponse }>();
  let arrived = false;
  let port = 0;
  const respond: Respond = (request, response) => {
    const read = readCallback(request, port, state);
    if (typeof read !== 'string') send(request, response, read);
    else if (arrived) send(request, response, ignoredPage(409, 'This sign-in is already complete.'));
    else {
      arrived = true;
      arrival.resolve({ code: read, response });
    }
  };
  const bound = await bindBoth(respond, nextPort);
  ({ port } = bound);
  return {
    port,
    receive: async (timeoutMs, conclude) => {
      const timer = setTimeout(() => {
        arrival.reject(new LoginError('the sign-in timed out; run daybook login again'));
      }, timeoutMs);
      const { code, response } = await arrival.promise.finally(() => clearTimeout(timer));
      const page = await conclude(code);
      response.writeHead(page.status, callbackHeaders).end(renderPage(page));
      // A browser that has disconnected by then only misses a page.
      await finished(response).catch(() => {});
    },
    close: async () => {
      await Promise.all(bound.servers.map(closeServer));
    },
  };
}

/** The code, or the response to any other request. */
function readCallback(request: IncomingMessage, port: number, state: string): string | CallbackPage {
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];
  if (!hosts.includes(request.headers.host ?? '')) return ignoredPage(421, 'Wrong host.');
  const address = URL.parse(`http://localhost${request.url ?? '/'}`);
  if (address?.pathname !== '/callback') return ignoredPage(404, 'Daybook is waiting for a sign-in.');
  if (request.method !== 'GET') return ignoredPage(405, 'Only GET is supported.');
  const { searchParams } = address;
  const [states, codes] = [searchParams.getAll('state'), searchParams.getAll('token')];
  const [code = ''] = codes;
  if (
    states.length !== 1 ||
    !isSame(states[0] ?? '', state) ||
    codes.length !== 1 ||
    !/^[\w-]{1,256}$/.test(code)
  )
    return ignoredPage(400, 'This response does not match the pending sign-in.');
  return code;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function send(request: IncomingMessage, response: ServerResponse, page: CallbackPage): void {
  response.writeHead(page.status, callbackHeaders).end(request.method === 'HEAD' ? '' : renderPage(page));
  request.resume();
}

async function bindBoth(
  respond: Respond,
  nextPort: () => number,
): Promise<{ readonly port: number; readonly servers: readonly Server[] }> {
  for (let tries = 0; tries < portTriesMax; tries += 1) {
    const port = nextPort();
    const first = await bind(respond, '127.0.0.1', port);
    if (first === 'taken' || first === 'absent') continue;
    const second = await bind(respond, '::1', port);
    if (second === 'taken') await closeServer(first);
    else return { port, servers: second === 'absent' ? [first] : [first, second] };
  }
  throw new LoginError(`no free port between ${portMin} and ${portMax}`);
}

async function bind(respond: Respond, address: string, port: number): Promise<Server | 'taken' | 'absent'> {
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 5_000, maxHeaderSize: 8_192 },
    respond,
  );
  server.maxConnections = 64;
  try {
    await once(server.listen(port, address), 'listening');
    return server;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE' || code === 'EACCES') return 'taken';
    // A machine without IPv6.
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return 'absent';
    throw error;
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
