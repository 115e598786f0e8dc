import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** What a server does with a connection instead of answering. */
const misbehaviours = {
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
  'sends content, then nothing': (socket: Socket) => {
    socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: 100\r\n\r\nbytes',
    );
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

export type Misbehaviour = keyof typeof misbehaviours | 'accepts no connection';
export const misbehaviourNames = [...Object.keys(misbehaviours), 'accepts no connection'] as Misbehaviour[];

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
  if (behaviour === 'accepts no connection') return startFullServer();
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

/** Listens, and then does nothing more: the kernel drops connections beyond its short queue. */
const standing = `const server = require('node:net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, server.address().port + '\\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

async function startFullServer(): Promise<MisbehavingServer> {
  const child = spawn(process.execPath, ['--eval', standing], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const port = Number(line);
  // Its queue takes two.
  const waiting = await Promise.all(
    [1, 2].map(async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    }),
  );
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => {
      const ended = once(child, 'exit');
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
      await ended;
    },
  };
}
