import { createHmac } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request to a receiver, as it arrived. */
export interface ArrivedPost {
  readonly host: string;
  readonly id: string;
  readonly body: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Of this machine, in milliseconds. */
  readonly at: number;
  /** Whether the receiver answered with 204. */
  accepted: boolean;
}

export interface Receivers {
  readonly port: number;
  readonly posts: readonly ArrivedPost[];
  /** Called when a request has arrived whole and before it is answered. */
  onPost: (post: ArrivedPost) => void;
  /** The status that a receiver answers with; `cut`: it closes the connection without an answer. */
  answerOf: (post: ArrivedPost) => number | 'cut';
  readonly stop: () => void;
}

/** Every `*.example` is this server; redirects lead to `redirectTarget`. */
export async function startReceivers(redirectTarget: string): Promise<Receivers> {
  const posts: ArrivedPost[] = [];
  const server = createHttpServer((request, response) => {
    const header = (name: string): string => String(request.headers[name] ?? '');
    const receive = async (): Promise<void> => {
      const body = await text(request).catch(() => null);
      if (body === null) return;
      const [host, id] = [header('host'), header('webhook-id')];
      const [timestamp, signature] = [header('webhook-timestamp'), header('webhook-signature')];
      const post: ArrivedPost = { host, id, body, timestamp, signature, at: Date.now(), accepted: false };
      posts.push(post);
      receivers.onPost(post);
      const answer = receivers.answerOf(post);
      post.accepted = answer === 204;
      if (answer === 'cut') response.socket?.destroy();
      else response.writeHead(answer, answer === 302 ? { location: redirectTarget } : {}).end();
    };
    void receive();
  });
  const receivers: Receivers = {
    port: await portOf(server, '127.0.0.1'),
    posts,
    onPost: () => {},
    answerOf: () => 204,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receivers;
}

/** Counts connections to every address of this machine. */
export async function startCanary() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.destroy();
  });
  return {
    port: await portOf(server, '::'),
    connections: (): number => connections,
    stop: (): void => void server.close(),
  };
}

async function portOf(server: Server, host: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, host, resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

/** As https://www.standardwebhooks.com describes verification. */
export function isSigned({ id, timestamp, body, signature }: ArrivedPost, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return (
    signature === `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  );
}
