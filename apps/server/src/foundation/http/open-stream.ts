import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { freeBuffersWhileFlowing } from '../freed-buffers.ts';
import { ProblemError } from '../problem.ts';
import { invalidRequest, payloadTooLarge, requestTimeout, temporarilyUnavailable } from './http-problems.ts';
import type { StreamBounds } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    stream: LeavingStream | null;
  }
}

/** A request whose body or response is streamed without a total time limit. */
export interface OpenStream {
  /** Aborted when the client disconnects, when the stream stalls, and when the process drains. */
  readonly signal: AbortSignal;
  /** The request's body, limited to its bound. Reading it sends `100 Continue` to a waiting client. */
  readonly body: () => Readable;
}

export interface LeavingStream extends OpenStream {
  /** Aborted when the process stops listening: a response without an end of its own ends then. */
  readonly leaving: AbortSignal;
}

export interface OpenStreams {
  /** Occupied until the response has ended; the callback then releases its slot. */
  readonly open: (request: FastifyRequest, reply: FastifyReply, bounds: StreamBounds) => LeavingStream;
  /** Node's limit on the time of a whole request does not apply to these: they have their own bounds. */
  readonly carries: (socket: Socket) => boolean;
  /** For a draining process that has stopped listening; streams that are opened later end at once. */
  readonly leaveAll: () => void;
  /** For a draining process whose grace period has passed. */
  readonly abortAll: () => void;
}

const retryAfterSeconds = 2;

export function createOpenStreams(): OpenStreams {
  const open = new Map<
    Socket,
    { readonly abort: (reason: ProblemError) => void; readonly leave: () => void }
  >();
  let isLeaving = false;
  return {
    open: (request, reply, bounds) => {
      const { socket } = request.raw;
      const controller = new AbortController();
      const leaving = new AbortController();
      if (isLeaving) leaving.abort();
      let body: Readable | null = null;
      const abort = (reason: ProblemError): void => {
        controller.abort(reason);
        body?.destroy(reason);
        // A client that has received the head must not take a partial body for the whole.
        if (reply.raw.headersSent) reply.raw.destroy();
      };
      const watch = watchProgress(socket, bounds.progress, () => {
        // In the second period the client did not even read the refusal.
        if (controller.signal.aborted) socket.destroy();
        else abort(new ProblemError(requestTimeout, 'The connection was too slow.'));
      });
      const endFlow = freeBuffersWhileFlowing();
      const stored = { abort, leave: () => leaving.abort() };
      open.set(socket, stored);
      reply.raw.once('close', () => {
        clearInterval(watch);
        endFlow();
        // The next request of the connection may have started.
        if (open.get(socket) === stored) open.delete(socket);
        if (!reply.raw.writableFinished) abort(clientLeft());
      });
      const stream = {
        signal: controller.signal,
        leaving: leaving.signal,
        body: () => {
          if (body !== null) return body;
          if (request.raw.headers.expect !== undefined) reply.raw.writeContinue();
          body = new BoundedBody(request.raw, bounds.bodyBytesMax);
          // Its reader may not listen yet, or no longer: an error without a listener would end the process.
          body.on('error', () => {});
          if (controller.signal.aborted) body.destroy(controller.signal.reason as ProblemError);
          return body;
        },
      };
      request.stream = stream;
      return stream;
    },
    carries: (socket) => open.has(socket),
    leaveAll: () => {
      isLeaving = true;
      for (const { leave } of open.values()) leave();
    },
    abortAll: () => {
      const leaving = new ProblemError(temporarilyUnavailable, 'The server is shutting down.', {
        retryAfterSeconds,
      });
      for (const { abort } of open.values()) abort(leaving);
    },
  };
}

/** For handlers of routes that declare `stream`. */
export function streamOf({ stream }: FastifyRequest): LeavingStream {
  if (stream === null) throw new Error('this route does not declare a stream');
  return stream;
}

function watchProgress(
  socket: Socket,
  { bytes, withinMs }: StreamBounds['progress'],
  onStandstill: () => void,
): NodeJS.Timeout {
  const moved = (): number => socket.bytesRead + socket.bytesWritten;
  let before = moved();
  const timer = setInterval(() => {
    const now = moved();
    if (now - before < bytes) onStandstill();
    before = now;
  }, withinMs);
  return timer.unref();
}

function clientLeft(): ProblemError {
  return new ProblemError(invalidRequest, 'The request ended before its body was complete.');
}

/**
 * The body as it arrives, no faster than it is read. Destroying it leaves the connection open, so that the client can
 * still receive the reason.
 */
class BoundedBody extends Readable {
  readonly #source: IncomingMessage;

  constructor(source: IncomingMessage, bytesMax: number) {
    super();
    this.#source = source;
    let bytes = 0;
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) this.destroy(new ProblemError(payloadTooLarge, 'The request body is too large.'));
      else if (!this.destroyed && !this.push(chunk)) source.pause();
    });
    source.pause();
    source.once('end', () => this.push(null));
    source.on('error', () => this.destroy(clientLeft()));
    source.once('close', () => {
      if (!source.complete) this.destroy(clientLeft());
    });
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#source.pause();
    callback(error);
  }
}
