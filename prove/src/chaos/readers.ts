import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface CachedReading {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly path: string;
  /** Null when the connection failed. */
  readonly status: number | null;
  readonly fault: string;
  /** Ids of items in the response. */
  readonly items: ReadonlySet<string>;
}

export interface CachedReaders {
  readonly stop: () => Promise<void>;
}

/** Requested all the time, so that every api process has them in its cache. */
const paths = ['/', '/hot', '/api/v1/items', '/api/v1/hot-topics', '/feeds/items.rss', '/agent/latest.md'];
const everyMs = 60;
const answerWithinMs = 70_000;
const idForm = /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** At a constant rate, however long each takes, and never again. */
export function startCachedReaders(port: number, onReading: (reading: CachedReading) => void): CachedReaders {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const underWay = new Set<Promise<void>>();
  let turn = 0;
  const timer = setInterval(() => {
    const path = paths[(turn += 1) % paths.length] ?? '/';
    const reading = read(agent, port, path).then(onReading);
    underWay.add(reading);
    void reading.finally(() => underWay.delete(reading));
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

/** Before the faults: until every path was answered often enough for each process to have it. */
export async function warmCaches(port: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (let round = 0; round < 12; round += 1) {
    for (const path of paths) await read(agent, port, path);
    await delay(100);
  }
  agent.destroy();
}

async function read(agent: Agent, port: number, path: string): Promise<CachedReading> {
  const startedAtMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<CachedReading>();
  const finish = (status: number | null, fault: string, text: string): void =>
    resolve({
      startedAtMs,
      endedAtMs: performance.now(),
      path,
      status,
      fault,
      items: new Set(text.match(idForm)),
    });
  const request = httpRequest(
    { host: '127.0.0.1', port, path, agent, timeout: answerWithinMs },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('error', (error) => finish(null, error.message, ''));
      response.on('end', () => finish(response.statusCode ?? null, text.slice(0, 200), text));
    },
  );
  request.on('timeout', () => request.destroy(new Error('no answer in time')));
  request.on('error', (error) => finish(null, error.message, ''));
  request.end();
  return promise;
}
