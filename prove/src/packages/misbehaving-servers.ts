import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';

/** What a server does with a connection instead of answering. */
export const misbehaviours = {
  'accepts and says nothing': () => undefined,
  'sends headers byte by byte': (socket: Socket) =>
    drip(socket, 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'),
  'sends headers, then nothing': (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n');
  },
  'sends the body byte by byte': (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{');
    drip(socket, ' '.repeat(99_999));
  },
  'sends a refusal byte by byte': (socket: Socket) => {
    socket.write(
      'HTTP/1.1 404 Not Found\r\ncontent-type: application/problem+json\r\ncontent-length: 9999\r\n\r\n{',
    );
    drip(socket, ' '.repeat(9998));
  },
  'closes at once': (socket: Socket) => {
    socket.end();
  },
  'resets the connection': (socket: Socket) => {
    socket.resetAndDestroy();
  },
  'closes in the middle of the body': (socket: Socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"items":[');
  },
  'answers late': (socket: Socket) => {
    const timer = setTimeout(() => {
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n{"items":[]}',
      );
    }, lateMs);
    socket.once('close', () => clearTimeout(timer));
  },
  'asks to wait for an hour': (socket: Socket) => {
    socket.end('HTTP/1.1 429 Too Many Requests\r\nretry-after: 3600\r\ncontent-length: 0\r\n\r\n');
  },
} satisfies Record<string, (socket: Socket) => void>;

export type Misbehaviour = keyof typeof misbehaviours;

/** Later than the timeouts of the suite. */
const lateMs = 2000;
const dripMs = 20;

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= text.length) clearInterval(timer);
    else socket.write(text[at] ?? '');
    at += 1;
  }, dripMs);
  socket.once('close', () => clearInterval(timer));
}

export interface MisbehavingServer {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

/** Misbehaves once the request has arrived. */
export async function startMisbehaving(behaviour: Misbehaviour): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', () => misbehaviours[behaviour](socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
