import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface SlowClient {
  /** The server's response so far, up to a few hundred bytes. */
  readonly heard: () => string;
  readonly hasEnded: () => boolean;
  readonly leave: () => void;
}

const everyMs = 500;
const bytesWritten = 1_000;
const bytesRead = 10_000;

/** Takes a gigabyte, little by little. */
export function startSlowReader(port: number): SlowClient {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET /source/1000000000 HTTP/1.1\r\nHost: prove\r\n\r\n');
  // Not by resuming, or the socket would read on as far as its own buffer goes.
  return follow(socket, () => (socket.read(bytesRead) as Buffer | null)?.toString('latin1') ?? '');
}

/** Sends a gigabyte, a kilobyte at a time; a stalled client sends only its head. */
export function startSlowWriter(port: number, { standsStill = false } = {}): SlowClient {
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /sink HTTP/1.1\r\nHost: prove\r\nContent-Length: 1000000000\r\n\r\n');
  return follow(socket, () => {
    if (!standsStill && socket.writable) socket.write(Buffer.alloc(bytesWritten));
    return (socket.read() as Buffer | null)?.toString('latin1') ?? '';
  });
}

function follow(socket: Socket, turn: () => string): SlowClient {
  let [heard, ended] = ['', false];
  const timer = setInterval(() => {
    const text = turn();
    if (heard.length < 300) heard += text;
  }, everyMs);
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
    clearInterval(timer);
  });
  return { heard: () => heard, hasEnded: () => ended, leave: () => socket.destroy() };
}
