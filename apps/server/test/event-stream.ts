import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';

export interface ReceivedEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export interface EventStream {
  readonly status: number;
  readonly received: readonly ReceivedEvent[];
  /** The first event, received or to come, that the condition accepts. */
  readonly find: (isSought: (event: ReceivedEvent) => boolean) => Promise<ReceivedEvent>;
  /** When the connection has ended. */
  readonly ended: Promise<number>;
  readonly close: () => void;
}

/** A stream of server-sent events, as a browser receives it. */
export async function openEventStream(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  onEvent: (event: ReceivedEvent) => void = () => {},
): Promise<EventStream> {
  const received: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const sent = request({ port, host: '127.0.0.1', path, headers, agent: false });
  sent.on('error', () => end(performance.now()));
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event === null) continue;
      received.push(event);
      onEvent(event);
    }
    for (const look of waiting) look();
  });
  response.on('error', () => {});
  response.on('close', () => end(performance.now()));
  return {
    status: response.statusCode ?? 0,
    received,
    find: (isSought) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = received.find(isSought);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    ended,
    close: () => sent.destroy(),
  };
}

function eventOf(block: string): ReceivedEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  const [name, data] = [fields.get('event'), fields.get('data')];
  if (name === undefined || data === undefined) return null;
  return {
    id: fields.get('id') ?? '',
    name,
    data: JSON.parse(data) as Readonly<Record<string, unknown>>,
    atMs: performance.now(),
  };
}
