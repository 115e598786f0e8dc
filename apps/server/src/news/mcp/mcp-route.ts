import { createClient } from '@daybook/client';
import type { AgentQuestion } from '@daybook/client/platform';
import { askAgentByName } from '@daybook/client/platform';
import type { McpNews, NewsMcpHandler } from '@daybook/mcp';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import type { Clock } from '../../foundation/clock.ts';
import type { CachedPost, ResponseDeclaration, RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { ClientInfo } from '../../foundation/http/surface.ts';
import { mcpPath } from '../addresses.ts';
import type { NewsRouteTools } from '../news-route.ts';
import type { RouteRead } from './cached-calls.ts';
import { callKey, CachedCalls, readMessage } from './cached-calls.ts';
import { createMcpSurface, ownHostCheck } from './mcp-surface.ts';
import { askOwnRoute, readOwnRoute } from './own-routes.ts';

export interface McpDeps {
  readonly baseUrl: string;
  readonly clock: Clock;
}

/** Any message in the protocol's own format. */
const Message = Type.Object({ jsonrpc: Type.Literal('2.0') });
const answer = (description: string): ResponseDeclaration => ({
  description,
  schema: Message,
  contentType: 'application/json',
});

/** The Model Context Protocol: the news API for agents, as tools, resources and prompts. Stateless. */
export function mcpRoute(tools: NewsRouteTools, deps: McpDeps): RouteDeclaration {
  const callers = new WeakMap<Request, Caller>();
  const cached = new CachedCalls(tools.cache.targets);
  const isOwnHost = ownHostCheck(deps.baseUrl);
  let handler: Promise<NewsMcpHandler> | null = null;
  // Loaded with the first call: the protocol's modules take longer to load than the whole server.
  const load = async (): Promise<NewsMcpHandler> => {
    const { createNewsHandler } = await import('@daybook/mcp');
    return createNewsHandler((request) => newsFor(request && callers.get(request), deps));
  };
  return defineRoute({
    method: 'POST',
    path: mcpPath,
    surface: createMcpSurface(tools.anonymous, deps.baseUrl, isOwnHost),
    operationId: 'callMcp',
    tag: 'agents',
    summary: 'The Model Context Protocol, without sessions.',
    body: Type.Object({}, { description: 'One JSON-RPC message.' }),
    responses: {
      200: answer('The result, or an error.'),
      202: { description: 'The notification was accepted.' },
      400: answer('The message is not valid, or the headers contradict it.'),
      404: answer('The method does not exist.'),
      406: answer('Clients with protocol version 2025 must accept JSON and event streams.'),
    },
    problems: [],
    cachedPosts: ({ headers }, body) => {
      if (headers.origin !== undefined || !isOwnHost(headers.host ?? '')) return null;
      // The list of tools depends on it, and so does what an agent answers.
      if (headers.authorization !== undefined) return null;
      const message = readMessage(body);
      return message === null ? null : cached.find(callKey(headers, message), message.id);
    },
    handle: async ({ request, reply, body }) => {
      const key = callKey(request.raw.headers, body);
      const { id } = body as { readonly id?: unknown };
      const isSignedIn = request.raw.headers.authorization !== undefined;
      const repeated =
        request.client === null || isSignedIn ? null : admitted(cached.find(key, id), request.client);
      if (repeated !== null)
        return sendMessage(reply, 200, repeated.contentType, Buffer.concat(repeated.pieces()));
      const webRequest = toWebRequest(request);
      const reads: RouteRead[] = [];
      callers.set(webRequest, { request, reads });
      const { fetch } = await (handler ??= load());
      const response = await fetch(webRequest, body);
      const text = await response.text();
      if (response.status === 200 && !isSignedIn) cached.store(key, id, reads, text);
      return sendMessage(reply, response.status, response.headers.get('content-type'), text);
    },
  });
}

/** Returns null if a limit refuses: the tool then reads itself and reports the refusal in its own format. */
function admitted(cached: CachedPost | null, client: ClientInfo): CachedPost | null {
  try {
    cached?.admit(client);
    return cached;
  } catch {
    return null;
  }
}

interface Caller {
  readonly request: FastifyRequest;
  readonly reads: RouteRead[];
}

const ownAddress = 'http://own.invalid';

/** Reads with the caller's identity: the access checks and limits of the caller apply here too. */
function newsFor(caller: Caller | undefined, { clock }: McpDeps): McpNews {
  if (caller === undefined) throw new Error('an MCP server was requested outside of a request');
  const client = createClient({
    baseUrl: ownAddress,
    // The caller waits and retries, not this process.
    patience: { retriesMax: 0 },
    world: { now: clock.nowMs, fetch: (url, init) => readOwnRoute(caller.request, caller.reads, url, init) },
  });
  const { request } = caller;
  const signedIn = {
    baseUrl: ownAddress,
    credential: { anonymous: true },
    patience: { retriesMax: 0 },
    world: { fetch: (url: string, init: RequestInit) => askOwnRoute(request, url, init) },
  } as const;
  const ask =
    request.raw.headers.authorization === undefined
      ? null
      : (asked: AgentQuestion) => askAgentByName(signedIn, asked);
  return { client, mirror: null, ask, nowMs: clock.nowMs };
}

function toWebRequest({ raw, protocol, host }: FastifyRequest): Request {
  const headers = Object.entries(raw.headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new Request(`${protocol}://${host}${mcpPath}`, { method: 'POST', headers });
}

function sendMessage(
  reply: FastifyReply,
  status: number,
  contentType: string | null,
  text: string | Buffer,
): FastifyReply {
  if (contentType !== null) reply.header('content-type', contentType);
  return reply.code(status).header('cache-control', 'no-store').send(text);
}
