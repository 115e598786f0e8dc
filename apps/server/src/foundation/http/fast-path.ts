import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { edgeLifetime } from '../cache/edge-headers.ts';
import type { ContentEncoding } from './content-encoding.ts';
import { chooseEncoding } from './content-encoding.ts';
import { matchesEntityTag } from './entity-tag.ts';
import type { HttpMetrics, CachedCounts } from './http-metrics.ts';
import type { LoadShedder } from './load-shedder.ts';
import { createRequestId } from './request-id.ts';
import type { ClientInfo } from './surface.ts';

/** One response as bytes; `Representation` of the cache. */
interface CachedBody {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly entityTag: string;
  readonly identity: Buffer;
  readonly held: (encoding: ContentEncoding) => Buffer | undefined;
}

/** The response for one request target, reusable for every client that requests the same. */
export interface CachedAnswer {
  /** The route's operation, for metrics. */
  readonly route: string;
  /** The surface's `admit`; returns at once, or throws. */
  readonly admit: (client: ClientInfo) => void;
  readonly cacheControl: string;
  readonly corsHeaders: Readonly<Record<string, string>>;
  /** A copy that is valid now. */
  readonly current: () => CachedBody | undefined;
}

export interface CachedAnswers {
  /** By the raw request target, as received. */
  readonly find: (target: string) => CachedAnswer | undefined;
}

export interface FastPathOptions {
  readonly cached: CachedAnswers;
  readonly shedder: LoadShedder;
  readonly metrics: HttpMetrics;
  readonly clientOf: (socket: Socket, forwarded: string | undefined) => Pick<ClientInfo, 'address' | 'key'>;
  readonly hasOneHost: (request: IncomingMessage) => boolean;
}

/** A longer User-Agent is left to the route. */
const userAgentCharsMax = 512;
/** One of this many responses is timed; all are counted. */
const timedEvery = 16;

/**
 * Answers before the router where the same target was answered before and the copy is still valid. Limits, request ids,
 * counters, shedding and drain apply as they do behind the router. Unusual and refused requests are left to the router:
 * nothing has been counted or written then. Returns whether it has answered.
 */
export function createFastPath(
  options: FastPathOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { cached, shedder, metrics, clientOf, hasOneHost } = options;
  const heads = new WeakMap<CachedAnswer, Heads>();
  let answered = 0;
  return (request, response) => {
    if (request.method !== 'GET') return false;
    const answer = cached.find(request.url ?? '');
    if (answer === undefined || !isPlain(request) || !hasOneHost(request)) return false;
    const body = answer.current();
    if (body === undefined) return false;
    const { headers } = request;
    const isKnown = body.status === 200 && matchesEntityTag(headers['if-none-match'], body.entityTag);
    const encoding = chooseEncoding(headers['accept-encoding']);
    const bytes = isKnown ? noBytes : body.held(encoding);
    if (bytes === undefined || !isAdmitted(shedder, answer, request, clientOf)) return false;
    const startedAtMs = (answered += 1) % timedEvery === 0 ? performance.now() : null;
    const { status, fields, counts } = headOf(heads, metrics, answer, body, isKnown ? null : encoding);
    counts.answers += 1;
    response.once('close', () => {
      shedder.leave();
      if (startedAtMs !== null)
        metrics.observe('GET', answer.route, status, (performance.now() - startedAtMs) / 1000);
    });
    response.writeHead(status, [...fields, 'x-request-id', createRequestId()]);
    if (isKnown) response.end();
    else response.end(bytes);
    return true;
  };
}

const noBytes = Buffer.alloc(0);

function isPlain({ headers }: IncomingMessage): boolean {
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    (headers['user-agent'] ?? '').length <= userAgentCharsMax
  );
}

/** A refused client loses no allowance here, so that the router may refuse it again. */
function isAdmitted(
  shedder: LoadShedder,
  { admit }: CachedAnswer,
  { socket, headers }: IncomingMessage,
  clientOf: FastPathOptions['clientOf'],
): boolean {
  try {
    shedder.enter();
  } catch {
    return false;
  }
  try {
    const { address, key } = clientOf(socket, headers['x-forwarded-for'] as string | undefined);
    admit({ address, key, userAgent: headers['user-agent'] });
    return true;
  } catch {
    shedder.leave();
    return false;
  }
}

interface Head {
  readonly status: number;
  /** Names and values alternate. */
  readonly fields: readonly string[];
  readonly counts: CachedCounts;
}

interface Heads {
  readonly body: CachedBody;
  /** Null is 304. */
  readonly byEncoding: Map<ContentEncoding | null, Head>;
}

/** Built once for each copy and encoding. */
function headOf(
  heads: WeakMap<CachedAnswer, Heads>,
  metrics: HttpMetrics,
  answer: CachedAnswer,
  body: CachedBody,
  encoding: ContentEncoding | null,
): Head {
  let ofAnswer = heads.get(answer);
  if (ofAnswer?.body !== body) heads.set(answer, (ofAnswer = { body, byEncoding: new Map() }));
  let head = ofAnswer.byEncoding.get(encoding);
  if (head === undefined)
    ofAnswer.byEncoding.set(encoding, (head = makeHead(metrics, answer, body, encoding)));
  return head;
}

function makeHead(
  metrics: HttpMetrics,
  { route, cacheControl, corsHeaders }: CachedAnswer,
  body: CachedBody,
  encoding: ContentEncoding | null,
): Head {
  const status = encoding === null ? 304 : body.status;
  const bytes = encoding === null ? undefined : body.held(encoding);
  const isEncoded = bytes !== undefined && bytes !== body.identity;
  const headers: Readonly<Record<string, string>> = {
    'x-content-type-options': 'nosniff',
    ...edgeLifetime,
    ...corsHeaders,
    etag: body.entityTag,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    ...(bytes !== undefined && {
      ...body.headers,
      'content-type': body.contentType,
      ...(isEncoded && { 'content-encoding': encoding ?? '' }),
      'content-length': String(bytes.length),
    }),
  };
  return { status, fields: Object.entries(headers).flat(), counts: metrics.countCached(route, status) };
}
