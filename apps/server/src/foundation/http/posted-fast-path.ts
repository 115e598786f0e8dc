import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastPathOptions } from './fast-path.ts';
import type { CachedCounts } from './http-metrics.ts';
import { createRequestId } from './request-id.ts';
import type { FindCachedPost, CachedPost, RouteDeclaration } from './route.ts';
import type { ClientInfo } from './surface.ts';

export interface PostedFastPathOptions extends Omit<FastPathOptions, 'cached'> {
  readonly routes: readonly RouteDeclaration[];
}

/** Larger bodies are seldom repeated. */
const bodyBytesMax = 4_096;
const userAgentCharsMax = 512;
const timedEvery = 16;
const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8']);

/**
 * Answers before the router where a route with `cachedPosts` received the same body before. Limits, request ids, counters,
 * shedding and drain apply as they do behind the router. It waits for no body: one that did not arrive with the head of its
 * request goes to the router, as do unusual requests. Returns whether it has taken the request; taken requests that it
 * cannot answer go to `proceed`, complete.
 */
export function createPostedFastPath(
  options: PostedFastPathOptions,
): (request: IncomingMessage, response: ServerResponse, proceed: () => void) => boolean {
  const routes = new Map(options.routes.flatMap((route) => cachedRoute(options, route)));
  return (request, response, proceed) => {
    const route = request.method === 'POST' ? routes.get(request.url ?? '') : undefined;
    if (route === undefined || !isPlain(request) || !options.hasOneHost(request)) return false;
    // By then the parser has delivered everything that came with the head.
    process.nextTick(() => {
      if (!answer(options, route, request, response)) proceed();
    });
    return true;
  };
}

interface CachedRoute {
  readonly path: string;
  readonly find: FindCachedPost;
  readonly admit: (client: ClientInfo) => void;
  readonly counts: CachedCounts;
}

function cachedRoute(
  { metrics }: PostedFastPathOptions,
  { method, path, surface, cachedPosts }: RouteDeclaration,
): [string, CachedRoute][] {
  const { admit } = surface;
  if (method !== 'POST' || cachedPosts === undefined || admit === null) return [];
  const counts = metrics.countCached(path, 200);
  return [[path, { path, find: cachedPosts, admit: (client) => void admit(client), counts }]];
}

function isPlain({ headers }: IncomingMessage): boolean {
  return (
    Number(headers['content-length']) <= bodyBytesMax &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    jsonTypes.has(headers['content-type'] ?? '') &&
    (headers['user-agent'] ?? '').length <= userAgentCharsMax
  );
}

function answer(
  options: PostedFastPathOptions,
  route: CachedRoute,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (request.readableLength === 0 || request.readableLength !== Number(request.headers['content-length']))
    return false;
  const body = request.read() as Buffer;
  const cached = route.find(request, body);
  if (cached === null || !isAdmitted(options, route, cached, request)) {
    request.unshift(body);
    return false;
  }
  // Lets the request end: Node then uses the connection for the next one.
  request.resume();
  send(options, route, cached, response);
  return true;
}

function isAdmitted(
  { shedder, clientOf }: PostedFastPathOptions,
  route: CachedRoute,
  cached: CachedPost,
  { socket, headers }: IncomingMessage,
): boolean {
  try {
    shedder.enter();
  } catch {
    return false;
  }
  try {
    const { address, key } = clientOf(socket, headers['x-forwarded-for'] as string | undefined);
    const client = { address, key, userAgent: headers['user-agent'] };
    route.admit(client);
    cached.admit(client);
    return true;
  } catch {
    shedder.leave();
    return false;
  }
}

function send(
  { shedder, metrics }: PostedFastPathOptions,
  { path, counts }: CachedRoute,
  cached: CachedPost,
  response: ServerResponse,
): void {
  const startedAtMs = (counts.answers += 1) % timedEvery === 0 ? performance.now() : null;
  response.once('close', () => {
    shedder.leave();
    if (startedAtMs !== null) metrics.observe('POST', path, 200, (performance.now() - startedAtMs) / 1000);
  });
  const pieces = cached.pieces();
  // One system call for the head and all of them.
  response.cork();
  response.writeHead(200, [
    'x-request-id',
    createRequestId(),
    'x-content-type-options',
    'nosniff',
    'content-type',
    cached.contentType,
    'cache-control',
    'no-store',
    'content-length',
    String(pieces.reduce((sum, { length }) => sum + length, 0)),
  ]);
  for (const piece of pieces) response.write(piece);
  response.end();
}
