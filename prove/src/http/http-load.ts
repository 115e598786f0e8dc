import { Agent, request as httpRequest } from 'node:http';

export interface Attempt {
  readonly label: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The whole body of a good response. */
  readonly id: string;
}

export interface Outcome extends Attempt {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** null when the connection failed. */
  readonly status: number | null;
  readonly retryAfter: number | null;
  /** 200, and the body is exactly what it should be. */
  readonly good: boolean;
  readonly fault: string;
}

export interface HttpLoad {
  /** Grows during the load. */
  readonly outcomes: readonly Outcome[];
  /** Waits for requests in progress. */
  readonly stop: () => Promise<void>;
}

/** A number of clients that send requests without a pause, each over a keep-alive connection. */
export function startHttpLoad(options: {
  readonly port: number;
  readonly clients: number;
  readonly next: (turn: number) => Attempt;
}): HttpLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const outcomes: Outcome[] = [];
  const stopping = new AbortController();
  let turn = 0;
  const client = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      turn += 1;
      outcomes.push(await attempt(agent, options.port, options.next(turn)));
    }
  };
  const clients = Array.from({ length: options.clients }, client);
  return {
    outcomes,
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

export async function attempt(agent: Agent | false, port: number, asked: Attempt): Promise<Outcome> {
  const startedAtMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const body = asked.method === 'POST' ? JSON.stringify({ id: asked.id }) : '';
  const finish = (status: number | null, retryAfter: string | undefined, text: string): void =>
    resolve({
      ...asked,
      startedAtMs,
      endedAtMs: performance.now(),
      status,
      retryAfter: retryAfter === undefined ? null : Number(retryAfter),
      good: status === 200 && text === JSON.stringify({ id: asked.id }),
      fault: status === 200 ? '' : text.slice(0, 300),
    });
  const request = httpRequest(
    {
      host: '127.0.0.1',
      port,
      path: asked.path,
      method: asked.method,
      agent,
      headers:
        body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', (error) => finish(null, undefined, error.message));
      response.on('end', () => finish(response.statusCode ?? 0, response.headers['retry-after'], text));
    },
  );
  request.on('error', (error) => finish(null, undefined, error.message));
  request.end(body);
  return promise;
}
