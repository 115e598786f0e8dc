import type { FastifyReply, FastifyRequest } from 'fastify';

import { chooseEncoding } from '../http/content-encoding.ts';
import type { ContentEncoding } from '../http/content-encoding.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';
import { ProblemError } from '../problem.ts';
import { edgeLifetime } from './edge-headers.ts';
import type { RepresentationCache, Resource } from './representation-cache.ts';
import { buildRepresentation } from './representation-cache.ts';
import type { Representation } from './representation.ts';

/** Sends the cached resource, or 304 where the client has the same version. */
export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  cache: RepresentationCache,
  resource: Resource,
  cacheControl: string,
): FastifyReply | Promise<FastifyReply> {
  const send = (representation: Representation): FastifyReply | Promise<FastifyReply> => {
    if (resource.byTarget === true) cache.targets.remember(request, resource.key, cacheControl);
    return sendRepresentation(request, reply, representation, cacheControl);
  };
  const found = cache.get(resource);
  return found instanceof Promise ? found.then(send, refuse(reply)) : send(found);
}

/** The same, built for one caller and not cached. */
export async function sendUncached(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource,
  cacheControl: string,
): Promise<FastifyReply> {
  const built = await buildRepresentation(resource).catch(refuse(reply));
  return sendRepresentation(request, reply, built, cacheControl);
}

/** The response for a deleted resource replaces the copy in a shared cache. */
function refuse(reply: FastifyReply): (error: unknown) => never {
  return (error) => {
    const kind = error instanceof ProblemError ? error.definition.kind : null;
    if (kind === 'not-found' || kind === 'gone') reply.headers(edgeLifetime);
    throw error;
  };
}

function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  cacheControl: string,
): FastifyReply | Promise<FastifyReply> {
  const { headers } = request.raw;
  reply
    .header('etag', representation.entityTag)
    .header('cache-control', cacheControl)
    .header('vary', 'accept-encoding')
    .headers(edgeLifetime);
  if (representation.status === 200 && matchesEntityTag(headers['if-none-match'], representation.entityTag)) {
    return reply.code(304).send();
  }
  const encoding = chooseEncoding(headers['accept-encoding']);
  const held = representation.held(encoding);
  if (held !== undefined) return sendBytes(reply, representation, encoding, held);
  return representation.encode(encoding).then((bytes) => sendBytes(reply, representation, encoding, bytes));
}

function sendBytes(
  reply: FastifyReply,
  representation: Representation,
  encoding: ContentEncoding,
  bytes: Buffer,
): FastifyReply {
  reply
    .code(representation.status)
    .headers(representation.headers)
    .header('content-type', representation.contentType);
  if (encoding !== 'identity' && bytes !== representation.identity)
    reply.header('content-encoding', encoding);
  return reply.send(bytes);
}
