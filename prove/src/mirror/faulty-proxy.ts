import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface FaultyProxy {
  readonly address: string;
  readonly faults: Record<Fault, number>;
  /** Requests that came before the answer or refusal before them allowed it. */
  tooSoon: number;
  requests: number;
  /** Lets everything through from now on. */
  calm: () => void;
  readonly close: () => Promise<void>;
}

type Fault = 'cut' | 'delayed' | 'corrupted' | '429' | '503' | '409';

const chances: readonly (readonly [Fault, number])[] = [
  ['cut', 0.06],
  ['delayed', 0.05],
  ['corrupted', 0.02],
  ['429', 0.05],
  ['503', 0.05],
  ['409', 0.02],
];
const retryAfterSeconds = 20;

/** Stands between a mirror and the server and does what networks and crowded servers do. */
export async function startFaultyProxy(
  target: string,
  random: () => number,
  speed: number,
): Promise<FaultyProxy> {
  const faults: Record<Fault, number> = { cut: 0, delayed: 0, corrupted: 0, '429': 0, '503': 0, '409': 0 };
  /** When each client may ask for an address again, and when for anything at all. */
  const allowedFrom = new Map<string, number>();
  let isCalm = false;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const proxy: FaultyProxy = {
    address: '',
    faults,
    tooSoon: 0,
    requests: 0,
    calm: () => {
      isCalm = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = request.headers['user-agent'] ?? '';
    const resource = `${client} ${request.url}`;
    const now = performance.now();
    proxy.requests += 1;
    const allowed = Math.max(allowedFrom.get(client) ?? 0, allowedFrom.get(resource) ?? 0);
    // Answers take a moment to arrive, so the client's interval begins a little later than ours: never earlier.
    if (now < allowed - 1) proxy.tooSoon += 1;
    const fault = isCalm ? null : pick(random);
    if (fault !== null) faults[fault] += 1;
    if (fault === 'delayed') await setTimeout(random() * 100);
    if (fault === '429' || fault === '503') {
      allowedFrom.set(client, performance.now() + (retryAfterSeconds * 1000) / speed);
      refuse(response, Number(fault), { 'retry-after': String(retryAfterSeconds) });
      return;
    }
    if (fault === '409' && request.url?.includes('/changes') === true) {
      refuse(response, 409, {});
      return;
    }
    const { status, headers, body } = await forward(target, request);
    const seconds = Number(/s-maxage=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0);
    const isWhole = fault !== 'cut';
    if (isWhole && status < 400) allowedFrom.set(resource, performance.now() + (seconds * 1000) / speed);
    response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
    if (fault === 'cut' && body !== '') {
      response.write(body.slice(0, body.length / 2));
      response.destroy();
    } else response.end(fault === 'corrupted' ? body.replace(/"title":"[^"\\]/, '"title":"#') : body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, { address: `http://127.0.0.1:${port}` });
}

function pick(random: () => number): Fault | null {
  let left = random();
  for (const [fault, chance] of chances) {
    left -= chance;
    if (left < 0) return fault;
  }
  return null;
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  const code = status === 409 ? 'snapshot_required' : 'busy';
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(JSON.stringify({ code, detail: 'by the proxy', status }));
}

async function forward(
  target: string,
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly body: string }> {
  const etag = request.headers['if-none-match'];
  const answer = await fetch(`${target}${request.url}`, {
    headers: etag === undefined ? {} : { 'if-none-match': etag },
  });
  const kept = ['content-type', 'cache-control', 'etag', 'retry-after'] as const;
  const headers = Object.fromEntries(
    kept.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { status: answer.status, headers, body: await answer.text() };
}
