import type { FastifyRequest } from 'fastify';

import type { RouteRead } from './cached-calls.ts';

const redirectsMax = 5;

/** A request of the caller that this process answers with its own routes: same checks, limits and cached copies. */
export async function readOwnRoute(
  caller: FastifyRequest,
  reads: RouteRead[],
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { userAgent, address } = caller.client ?? { userAgent: undefined, address: '127.0.0.1' };
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
  };
  let target = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    const path = `${target.pathname}${target.search}`;
    const answer = await caller.server.inject({ method: 'GET', url: path, headers, remoteAddress: address });
    const { location, etag } = answer.headers;
    reads.push({ target: path, entityTag: answer.statusCode === 200 ? (etag ?? null) : null });
    if (answer.statusCode !== 308 || location === undefined || redirects === redirectsMax)
      return toWebResponse(answer);
    target = new URL(location, target);
  }
}

/** The same for a question of a caller with credentials, which are sent to no other address. Never cached. */
export async function askOwnRoute(caller: FastifyRequest, url: string, init: RequestInit): Promise<Response> {
  const { userAgent, address } = caller.client ?? { userAgent: undefined, address: '127.0.0.1' };
  const { authorization } = caller.raw.headers;
  const { pathname, search } = new URL(url);
  const answer = await caller.server.inject({
    method: init.method === 'POST' ? 'POST' : 'GET',
    url: `${pathname}${search}`,
    headers: {
      ...(init.headers as Record<string, string>),
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    remoteAddress: address,
    ...(typeof init.body === 'string' && { payload: init.body }),
  });
  return toWebResponse(answer);
}

type Injected = Awaited<ReturnType<FastifyRequest['server']['inject']>>;

function toWebResponse({ statusCode, headers, body }: Injected): Response {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(statusCode === 304 ? null : body, { status: statusCode, headers: entries });
}
