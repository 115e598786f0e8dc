import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export interface Question {
  readonly method?: string;
  /** Sent as it is: nothing is normalised. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const answerWithinMs = 30_000;
const busyAttemptsMax = 40;
const busyWaitMs = 150;

export function ask(port: number, question: Question): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const { method = 'GET', path, headers, body } = question;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = httpRequest(
    {
      host: '127.0.0.1',
      port,
      path,
      method,
      agent,
      headers: { ...length, ...headers },
      timeout: answerWithinMs,
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const text = decode(Buffer.concat(chunks), response.headers);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    },
  );
  request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer in time')));
  request.end(body);
  return promise;
}

export function requestOnce(port: number, path: string): Promise<HttpAnswer> {
  return ask(port, { path });
}

/** Retries while the process responds that it is busy, as one that has just started may. */
export async function requestUntilNotBusy(port: number, path: string): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await requestOnce(port, path);
    if (answer.status !== 503 || attempt >= busyAttemptsMax) return answer;
    await delay(busyWaitMs);
  }
}

function decode(bytes: Buffer, headers: IncomingHttpHeaders): string {
  if (bytes.length === 0) return '';
  const encoding = headers['content-encoding'];
  if (headers['content-type'] === 'application/zstd') return zstdDecompressSync(bytes).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** Bytes that no client library would send; returns the response until the server closed. */
export function askRaw(port: number, bytes: string): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setTimeout(answerWithinMs, () => socket.destroy(new Error('no answer in time')));
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
  });
  socket.on('close', () => resolve(parseAnswer(received)));
  socket.write(bytes, 'latin1');
  return promise;
}

function parseAnswer(received: string): HttpAnswer {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = received.slice(end + 4);
  const plain = headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : body;
  const text = Buffer.from(plain, 'latin1').toString();
  return { status: Number(statusLine.split(' ')[1]), headers, text };
}

function joinChunks(body: string): string {
  let text = '';
  for (let at = 0; ;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, lineEnd), 16);
    if (lineEnd === -1 || !(size > 0)) return text;
    text += body.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + size + 4;
  }
}
