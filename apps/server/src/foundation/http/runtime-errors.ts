import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { ProblemDefinition } from '../problem.ts';
import { ProblemError } from '../problem.ts';
import {
  expectationFailed,
  headersTooLarge,
  invalidRequest,
  methodNotAllowed,
  requestTimeout,
} from './http-problems.ts';
import { problemResponse } from './problem-response.ts';
import { createRequestId } from './request-id.ts';

/** Errors that Node raises before a request can be routed are problems too. */
export function answerParserError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  isStreaming: (socket: Socket) => boolean,
): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return;
  // Node stores the response in progress here; its own handler checks it for the same reason: an error must not
  // be written into the middle of a body.
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent === true) {
    socket.destroy(error);
    return;
  }
  if (isUnknownMethod(error)) {
    answerSocket(socket, unknownMethod('This request method is not supported.', error));
    return;
  }
  const [definition, detail] = parserProblem(error.code ?? '');
  answerSocket(socket, new ProblemError(definition, detail, { cause: error }));
}

const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^\s]+ HTTP\/1\.[01]\r?\n/;

/** Node's parser has a list of methods and refuses a well-formed request with any other as if it were malformed. */
function isUnknownMethod(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): boolean {
  return error.code === 'HPE_INVALID_METHOD' && requestLine.test(error.rawPacket?.toString('latin1') ?? '');
}

function unknownMethod(detail: string, cause?: Error): ProblemError {
  const headers = { allow: 'GET, HEAD, OPTIONS' };
  return new ProblemError(methodNotAllowed, detail, { headers, ...(cause !== undefined && { cause }) });
}

function parserProblem(code: string): [ProblemDefinition, string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [headersTooLarge, 'The request line and headers exceed 16 KiB.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [requestTimeout, 'The request was not received in time.'];
  return [invalidRequest, 'This is not a well-formed HTTP/1.1 request.'];
}

/** Events that Node would answer by itself: with an empty 417, an early 100, or by closing the connection. */
export function answerRuntimeEvents(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const problem = problemResponse(
      new ProblemError(expectationFailed, 'Only 100-continue is supported.'),
      createRequestId(),
    );
    response.writeHead(problem.status, { ...problem.headers, connection: 'close' }).end(problem.body);
  });
  // A client that waits for 100 Continue gets it when the route reads the body, not before.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    answerSocket(socket, unknownMethod('This server is not a proxy.'));
  });
}

function answerSocket(socket: Duplex, error: ProblemError): void {
  const { status, headers, body } = problemResponse(error, createRequestId());
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(body.length) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`);
  socket.end(body);
}
