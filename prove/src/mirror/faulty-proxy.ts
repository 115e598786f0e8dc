import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

type Fault = 'cut' | 'delayed' | 'repeated' | 'corrupted' | '429' | '503' | '409';

const chances: readonly (readonly [Fault, number])[] = [
  ['cut', 0.06],
  ['delayed', 0.05],
  ['repeated', 0.02],
  ['corrupted', 0.02],
  ['429', 0.05],
  ['503', 0.05],
  ['409', 0.02],
];
const retryAfterSeconds = 20;

/** A proxy between a mirror and the server with the faults of networks and overloaded servers. */
export class FaultyProxy {
  readonly faults: Record<Fault, number> = {
    cut: 0,
    delayed: 0,
    repeated: 0,
    corrupted: 0,
    '429': 0,
    '503': 0,
    '409': 0,
  };
  requests = 0;
  /** Requests that came before the answer or refusal before them allowed it. */
  tooSoon = 0;
  readonly #target: string;
  readonly #random: () => number;
  readonly #speed: number;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response).catch(() => response.destroy());
  });
  /** The last response to each client, by the path without its parameters. */
  readonly #answers = new Map<string, ForwardedAnswer>();
  /** When each client may request an address again, and when any address at all. */
  readonly #allowedFrom = new Map<string, number>();
  #isCalm = false;

  constructor(target: string, random: () => number, speed: number) {
    this.#target = target;
    this.#random = random;
    this.#speed = speed;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** For one life of a mirror: its requests are counted separately. */
  addressFor(client: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/as/${client}`;
  }

  /** Lets everything through from now on. */
  calm(): void {
    this.#isCalm = true;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, client = '', path = ''] = /^\/as\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    if (request.method === 'OPTIONS') {
      send(response, await forward(this.#target, path, request), null);
      return;
    }
    const resource = `${client} ${path}`;
    this.#count(client, resource);
    const fault = this.#isCalm ? null : pick(this.#random);
    if (fault !== null) this.faults[fault] += 1;
    if (fault === 'delayed') await setTimeout(this.#random() * 100);
    if (fault === '429' || fault === '503') {
      this.#allow(client, retryAfterSeconds);
      refuse(response, Number(fault), { 'retry-after': String(retryAfterSeconds) });
    } else if (fault === '409' && path.includes('/changes')) {
      refuse(response, 409, {});
    } else {
      const answer = await this.#answerTo(request, path, resource, fault === 'repeated');
      const seconds = Number(/s-maxage=(\d+)/.exec(answer.headers['cache-control'] ?? '')?.[1] ?? 0);
      if (fault !== 'cut' && answer.status < 400) this.#allow(resource, seconds);
      send(response, answer, fault);
    }
  }

  #count(client: string, resource: string): void {
    this.requests += 1;
    const [ofAll = 0, ofThis = 0] = [client, resource].map((of) => this.#allowedFrom.get(of));
    // Answers take a moment to arrive, so the client's interval begins a little later than ours: never earlier.
    if (performance.now() < Math.max(ofAll, ofThis) - 1) this.tooSoon += 1;
  }

  #allow(of: string, seconds: number): void {
    this.#allowedFrom.set(of, performance.now() + (seconds * 1000) / this.#speed);
  }

  /** The server's response, or a repetition of the client's previous one. */
  async #answerTo(
    request: IncomingMessage,
    path: string,
    resource: string,
    isRepeated: boolean,
  ): Promise<ForwardedAnswer> {
    const [withoutParameters = ''] = resource.split('?');
    const earlier = this.#answers.get(withoutParameters);
    if (isRepeated && earlier !== undefined) return earlier;
    const answer = await forward(this.#target, path, request);
    if (answer.status === 200) this.#answers.set(withoutParameters, answer);
    return answer;
  }
}

function pick(random: () => number): Fault | null {
  let left = random();
  for (const [fault, chance] of chances) {
    left -= chance;
    if (left < 0) return fault;
  }
  return null;
}

function send(
  response: ServerResponse,
  { status, headers, body }: ForwardedAnswer,
  fault: Fault | null,
): void {
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  if (fault === 'cut' && body !== '') {
    response.write(body.slice(0, body.length / 2));
    response.destroy();
  } else response.end(fault === 'corrupted' ? body.replace(/"title":"[^"\\]/, '"title":"#') : body);
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  const code = status === 409 ? 'snapshot_required' : 'busy';
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after',
    ...headers,
  });
  response.end(JSON.stringify({ code, detail: 'by the proxy', status }));
}

interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const sent = /^(?:if-none-match|origin|access-control-.*)$/;
const copiedHeaders = /^(?:content-type|cache-control|etag|retry-after|vary|access-control-.*)$/;

async function forward(target: string, path: string, request: IncomingMessage): Promise<ForwardedAnswer> {
  const asked = Object.entries(request.headers).filter(([name]) => sent.test(name)) as [string, string][];
  const answer = await fetch(`${target}${path}`, { method: request.method ?? 'GET', headers: asked });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => copiedHeaders.test(name)));
  return { status: answer.status, headers, body: await answer.text() };
}
