import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

import { expect } from 'vitest';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** Parsed on demand. */
  readonly json: () => Record<string, unknown>;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sends `body` as JSON. */
  readonly json?: unknown;
}

/** One request on a separate connection, sent and returned unchanged. */
export async function ask(port: number, path: string, question: Question = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const body = question.json === undefined ? question.body : JSON.stringify(question.json);
  const headers = {
    ...(question.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...question.headers,
  };
  const request = httpRequest(
    { host: '127.0.0.1', port, path, method: question.method ?? 'GET', headers, agent: false },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve(toAnswer(response.statusCode ?? 0, response.headers, chunks)));
    },
  );
  request.on('error', reject);
  request.end(body);
  return promise;
}

function toAnswer(status: number, headers: IncomingHttpHeaders, chunks: readonly Buffer[]): Answer {
  const body = Buffer.concat(chunks);
  const text = body.toString();
  return { status, headers, body, text, json: () => JSON.parse(text) as Record<string, unknown> };
}

/** A raw client: writes these bytes, reads until the server closes the connection. */
export async function askRaw(port: number, bytes: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = openSocket(port, reject);
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('close', () => resolve(received));
  socket.write(bytes, 'latin1');
  return parseAnswer(await promise);
}

export function openSocket(port: number, onError: (error: Error) => void): Socket {
  const socket = connect(port, '127.0.0.1');
  // The server may close the connection while the client still writes; its earlier response counts.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') onError(error);
  });
  return socket;
}

export function parseAnswer(received: string): Answer {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return toAnswer(Number(statusLine.split(' ')[1]), headers, [
    Buffer.from(received.slice(end + 4), 'latin1'),
  ]);
}

/** Asserts the error format with all its fields and headers. */
export function expectProblem(answer: Answer, status: number, code: string): Record<string, unknown> {
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const problem = answer.json();
  expect(problem).toMatchObject({ status, code, type: `/problems/${code.replaceAll('_', '-')}` });
  expect(problem['title']).toEqual(expect.any(String));
  expect(problem['detail']).toEqual(expect.any(String));
  expect(problem['requestId']).toMatch(/^[\w-]{22}$/);
  expect(answer.headers['x-request-id']).toBe(problem['requestId']);
  const retryAfter = answer.headers['retry-after'];
  expect(problem['retryAfter']).toBe(retryAfter === undefined ? undefined : Number(retryAfter));
  return problem;
}
