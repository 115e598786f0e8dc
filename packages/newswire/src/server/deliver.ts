import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Answer } from './answer.ts';

/** Sends a response in the way its fault requires. */
export async function deliver(response: ServerResponse, answer: Answer, headOnly: boolean): Promise<void> {
  const { status, headers, body, delivery } = answer;
  switch (delivery?.how) {
    case 'never':
      return;
    case 'reset':
      // A response has no socket of its own while the one before it on the same connection is unfinished.
      response.req.socket.destroy();
      return;
    case 'cut':
      response.writeHead(status, { ...headers, 'content-length': body.length });
      response.write(body.subarray(0, delivery.afterBytes), () => response.req.socket.destroy());
      return;
    case 'endless':
      response.writeHead(status, headers);
      await sendForEver(response, body);
      return;
    case 'slowly':
      await delay(delivery.delayMs);
      response.writeHead(status, { ...headers, 'content-length': body.length });
      await sendSlowly(response, body, delivery.bytesPerSecond);
      return;
    case undefined:
      response.writeHead(status, {
        ...headers,
        ...(status === 304 ? {} : { 'content-length': body.length }),
      });
      response.end(headOnly ? undefined : body);
  }
}

/** The body, then blanks until the reader gives up. */
async function sendForEver(response: ServerResponse, body: Buffer): Promise<void> {
  const blanks = Buffer.alloc(1 << 16, 32);
  for (let chunk = body; !response.destroyed; chunk = blanks) {
    if (response.write(chunk)) await delay(1);
    else await settled(response);
  }
}

async function settled(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

async function sendSlowly(
  response: ServerResponse,
  body: Buffer,
  bytesPerSecond: number | null,
): Promise<void> {
  if (bytesPerSecond === null) {
    response.end(body);
    return;
  }
  const step = Math.max(1, Math.floor(bytesPerSecond / 10));
  let at = 0;
  for (; at + step < body.length && !response.destroyed; at += step) {
    response.write(body.subarray(at, at + step));
    await delay(100);
  }
  response.end(body.subarray(at));
}
