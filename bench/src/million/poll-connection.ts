import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface PollAnswer {
  readonly status: 200 | 304;
  /** Of a 200. */
  readonly etag: string | null;
  /** Of the body. */
  readonly bytes: number;
  /** The server closes the connection after it. */
  readonly isLast: boolean;
}

export interface PollConnection {
  /** One at a time: the next request is written after the response to the last. */
  readonly poll: (request: Buffer, onAnswer: (answer: PollAnswer) => void) => void;
  readonly close: () => void;
}

const bufferBytes = 256 * 1024;

/**
 * A connection of HTTP/1.1 that reads no more of a response than a poll needs: the client of Node takes several times the
 * processor time, which nginx and the api need on a small machine. After a response that closes it, it is opened again.
 */
export async function openPollConnection(
  port: number,
  onError: (error: Error) => void,
): Promise<PollConnection> {
  let answered: ((answer: PollAnswer) => void) | null = null;
  let reader = createPollReader();
  const read = (length: number, chunk: Uint8Array): boolean => {
    try {
      const answer = reader(Buffer.from(chunk.buffer, chunk.byteOffset, length));
      if (answer !== null) void finish(answer).catch(onError);
    } catch (error) {
      onError(error as Error);
    }
    return true;
  };
  const finish = async (answer: PollAnswer): Promise<void> => {
    const report = answered;
    answered = null;
    reader = createPollReader();
    if (answer.isLast) {
      socket.destroy();
      socket = await open();
    }
    report?.(answer);
  };
  const open = async (): Promise<Socket> => {
    const onread = { buffer: new Uint8Array(bufferBytes), callback: read };
    const opened = connect({ host: '127.0.0.1', port, noDelay: true, onread });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    opened.once('connect', resolve).once('error', reject);
    await promise;
    return opened.on('error', onError).on('close', () => {
      if (answered !== null && opened === socket) onError(new Error('a connection was closed too early'));
    });
  };
  let socket = await open();
  return {
    poll: (request, onAnswer) => {
      answered = onAnswer;
      socket.write(request);
    },
    close: () => {
      answered = null;
      socket.destroy();
    },
  };
}

const endOfHead = Buffer.from('\r\n\r\n');
const closing = Buffer.from('\r\nConnection: close');
const unchanged: PollAnswer = { status: 304, etag: null, bytes: 0, isLast: false };

/** Takes the chunks of one response; returns the answer with the last one. */
export function createPollReader(): (chunk: Buffer) => PollAnswer | null {
  let head = Buffer.alloc(0);
  let answer: PollAnswer | null = null;
  let bodyBytes = 0;
  const withBody = (found: PollAnswer): PollAnswer | null => {
    if (bodyBytes > found.bytes) throw new Error('a response is longer than its Content-Length');
    return bodyBytes === found.bytes ? found : null;
  };
  return (chunk) => {
    if (answer !== null) {
      bodyBytes += chunk.length;
      return withBody(answer);
    }
    const text = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = text.indexOf(endOfHead);
    if (end === -1) {
      // The buffer of the connection is written again with the next chunk.
      head = Buffer.from(text);
      return null;
    }
    answer = readHead(text.subarray(0, end));
    bodyBytes = text.length - end - endOfHead.length;
    return withBody(answer);
  };
}

/** Nearly all responses are a 304, of which the client needs nothing more. */
function readHead(head: Buffer): PollAnswer {
  const isLast = head.includes(closing);
  const status = head.toString('latin1', 9, 12);
  if (status === '304') return isLast ? { ...unchanged, isLast } : unchanged;
  const fields = head.toString('latin1');
  const length = /\r\ncontent-length: (\d+)/i.exec(fields)?.[1];
  if (status !== '200' || length === undefined) throw new Error(`unexpected response: ${fields}`);
  return {
    status: 200,
    etag: /\r\netag: ([^\r]+)/i.exec(fields)?.[1] ?? null,
    bytes: Number(length),
    isLast,
  };
}
