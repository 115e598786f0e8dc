import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FaultyRequest } from '../fault/answer-faults.ts';
import { splitFaults, applyFault } from '../fault/answer-faults.ts';
import { FaultTable } from '../fault/fault-table.ts';
import { httpDate } from '../feed/feed-date.ts';
import type { World } from '../world.ts';
import { partsOf } from '../world.ts';
import type { Answer } from './answer.ts';
import { textAnswer } from './answer.ts';
import { Counters } from './counters.ts';
import { deliver } from './deliver.ts';
import type { Resource } from './host-table.ts';
import { HostTable } from './host-table.ts';
import { Hub, hubHost, hubUrl } from './hub.ts';
import { SiteAnswers } from './site-answers.ts';

export interface PublisherSettings {
  readonly world: World;
  /** The time that publishers live in, in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Any free port by default. */
  readonly port?: number;
  /** How far apart requests to one registrable domain must begin, in real time; 2,000 by default. */
  readonly spacingMs?: number;
  /** Whether feeds state how often they may be requested (max-age, ttl, sy:*); true by default. */
  readonly cacheHints?: boolean;
  /** Whether feeds name a hub that pushes them; false by default. */
  readonly namesHub?: boolean;
}

/** Publishers that listen on loopback. */
export interface Publishers {
  readonly port: number;
  /** `http://127.0.0.1:<port>`: responds for every host of the world, by the Host header or as a proxy. */
  readonly origin: string;
  readonly counters: Counters;
  readonly faults: FaultTable;
  readonly hub: Hub;
  readonly close: () => Promise<void>;
}

const toleranceMs = 10;

export async function startPublishers(settings: PublisherSettings): Promise<Publishers> {
  const { world, nowMs, port = 0, spacingMs = 2000, cacheHints = true, namesHub = false } = settings;
  const counters = new Counters({ spacingMs, toleranceMs });
  const faults = new FaultTable();
  const handler = new PublisherRequestHandler({ world, nowMs, cacheHints, namesHub, counters, faults });
  const server = createServer((request, response) => {
    handler.handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await listen(server, port);
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    origin: `http://127.0.0.1:${bound}`,
    counters,
    faults,
    hub: handler.hub,
    close: () => closeServer(server),
  };
}

interface HandlerDeps {
  readonly world: World;
  readonly nowMs: () => number;
  readonly cacheHints: boolean;
  readonly namesHub: boolean;
  readonly counters: Counters;
  readonly faults: FaultTable;
}

/** Takes requests for all hosts of a world. */
class PublisherRequestHandler {
  readonly #deps: HandlerDeps;
  readonly #hosts: HostTable;
  readonly #answers: SiteAnswers;
  readonly hub = new Hub((address) => this.#feedAt(address));

  constructor(deps: HandlerDeps) {
    this.#deps = deps;
    const { planner, writer } = partsOf(deps.world);
    this.#hosts = new HostTable(deps.world.seed, deps.world.outlets);
    this.#answers = new SiteAnswers(planner, writer, deps);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host, path } = targetOf(request);
    if (host === hubHost) return this.#askHub(request, response);
    const nowMs = this.#deps.nowMs();
    const address = `http://${host}${path}`;
    const resource = this.#hosts.find(host, path);
    const domain = resource?.outlet.domain ?? host;
    const end = this.#deps.counters.begin(domain, address, request.socket);
    let sent = { status: 0, bytes: 0 };
    response.once('close', () => end(resource?.type ?? 'unknown', sent));
    const answer =
      resource === undefined
        ? textAnswer(404, 'text/plain', `No publisher has the host ${host}.\n`)
        : await this.#answer(request, resource, { address, nowMs });
    const { how } = answer.delivery ?? { how: 'whole' };
    if (how !== 'never' && how !== 'reset') sent = { status: answer.status, bytes: answer.body.length };
    response.setHeader('date', httpDate(Math.round(nowMs * 1000)));
    await deliver(response, answer, request.method === 'HEAD');
  }

  async #askHub(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = this.#deps.counters.begin(hubHost, hubUrl, request.socket);
    const status = await this.hub.handle(request, response);
    end('hub', { status, bytes: 0 });
  }

  /** The current response to a reader without validators. */
  #feedAt(address: string): Answer {
    const { host, pathname, search } = new URL(address);
    const resource = this.#hosts.find(host, pathname + search);
    if (resource?.type !== 'feed') return textAnswer(404, 'text/plain', `${address} is no feed.\n`);
    const at = Math.round(this.#deps.nowMs() * 1000);
    const validators = { ifNoneMatch: undefined, ifModifiedSince: undefined };
    return this.#answers.answer(resource, { at, acceptsGzip: false, nth: 0, ...validators }, []);
  }

  async #answer(
    request: IncomingMessage,
    resource: Resource,
    { address, nowMs }: { readonly address: string; readonly nowMs: number },
  ): Promise<Answer> {
    const { outlet } = resource;
    const activeFaults = this.#deps.faults.take(outlet, resource.type === 'feed' ? 'feed' : 'page', nowMs);
    const { ofDocument, others } = splitFaults(activeFaults);
    const { headers } = request;
    const siteRequest = {
      at: Math.round(nowMs * 1000),
      acceptsGzip: /\bgzip\b/.test(headers['accept-encoding'] ?? ''),
      nth: this.#deps.counters.hits(address),
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
    };
    const faulty: FaultyRequest = {
      outlet,
      address,
      authorization: headers.authorization,
      moved: resource.type === 'feed' && resource.moved,
      now: Math.round(nowMs * 1000),
    };
    let right = (): Promise<Answer> =>
      Promise.resolve(this.#answers.answer(resource, siteRequest, ofDocument));
    for (const fault of others) {
      const before = right;
      right = () => applyFault(fault, faulty, before);
    }
    return right();
  }
}

/** A request names its host in a header or, sent to a proxy, in its target. */
function targetOf({ url = '/', headers }: IncomingMessage): { readonly host: string; readonly path: string } {
  const absolute = /^http:\/\/([^/?#]+)(.*)$/.exec(url);
  const [host = '', path = ''] = absolute === null ? [headers.host, url] : absolute.slice(1);
  return { host: host.toLowerCase().replace(/:\d+$/, ''), path: path === '' ? '/' : path };
}

async function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
}

async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
