import type { IncomingMessage } from 'node:http';

/** The methods that Fastify routes. The router has a tree for each, so that the 27 others would cost as many trees. */
const routed = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);
const sentMethods = new WeakMap<IncomingMessage, string>();

/** A method that no route can have is routed as TRACE, which no route has either, and refused with 405. */
export function routeUnusualMethod(request: IncomingMessage): string {
  const { method = '', url = '' } = request;
  if (!routed.has(method)) {
    sentMethods.set(request, method);
    request.method = 'TRACE';
  }
  return url;
}

export function sentMethod(request: IncomingMessage): string {
  return sentMethods.get(request) ?? request.method ?? '';
}
