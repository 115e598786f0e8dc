import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { ProblemDefinition } from '../problem.ts';
import { ProblemError } from '../problem.ts';
import { expectationFailed, headersTooLarge, invalidRequest, requestTimeout } from './http-problems.ts';
import { problemResponse } from './problem-response.ts';
import { createRequestId } from './request-id.ts';

/** Errors that Node raises before there is a request to route are problems too. */
export function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const [definition, detail] = parserProblem(error.code ?? '');
  const response = problemResponse(new ProblemError(definition, detail, { cause: error }), createRequestId());
  const head = Object.entries({
    ...response.headers,
    connection: 'close',
    'content-length': String(response.body.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${head.join('')}\r\n`);
  socket.end(response.body);
}

function parserProblem(code: string): [ProblemDefinition, string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [headersTooLarge, 'the request line and headers are larger than 16 KiB'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [requestTimeout, 'the request was not complete in time'];
  return [invalidRequest, 'this is not a well-formed HTTP/1.1 request'];
}

/** `Expect:` with anything but `100-continue`, which Node would answer with an empty 417. */
export function answerUnknownExpectation(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const problem = problemResponse(
      new ProblemError(expectationFailed, 'only 100-continue can be expected here'),
      createRequestId(),
    );
    response.writeHead(problem.status, { ...problem.headers, connection: 'close' }).end(problem.body);
  });
}
