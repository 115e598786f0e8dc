import type { Server } from 'node:http';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import type { OpenStreams } from './open-stream.ts';

export interface DrainOptions {
  readonly server: FastifyInstance;
  readonly logger: FastifyBaseLogger;
  /** Between "not ready" and closing the listener: long enough for load balancers to notice. */
  readonly noticeMs: number;
  /** How long requests in flight may still take. */
  readonly finishMs: number;
  /** Uploads and downloads, which may take longer than the drain. */
  readonly streams?: Pick<OpenStreams, 'abortAll' | 'leaveAll'>;
  /** Makes /readyz fail and responses carry `Connection: close`. */
  readonly beginDraining: () => void;
}

/**
 * Drains without dropping a request: first announces it while still serving, then takes no new connection,
 * then waits for accepted requests.
 */
export async function drain(options: DrainOptions): Promise<void> {
  options.beginDraining();
  options.logger.info({ noticeMs: options.noticeMs }, 'leaving: not ready any more, still serving');
  await delay(options.noticeMs);
  await waitForAcceptQueueEmpty(options.server.server);
  // Node's own close, because it takes effect before the call returns; Fastify's begins some turns later.
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  options.server.server.close(() => resolve());
  options.streams?.leaveAll();
  const late = delay(options.finishMs, 'late' as const, { ref: false });
  if ((await Promise.race([closed, late])) === 'late') {
    options.logger.error('requests were still under way at the deadline and are cut off');
    options.streams?.abortAll();
    // One turn of the loop in which clients that still send receive the reason.
    await nextTurn();
    options.server.server.closeAllConnections();
    await closed;
  }
  await options.server.close();
}

const turnsMax = 5_000;
/** A turn without work takes a tenth of it. */
const emptyTurnMs = 0.05;

/**
 * Closing a listener resets connections that the kernel has accepted but the process has not, and a proxy may have sent
 * a POST over one, which it must not repeat. So the listener closes right after a turn of the loop that accepted none
 * and had no other work either: connections that arrive while a turn works wait for the next one.
 */
async function waitForAcceptQueueEmpty(server: Server): Promise<void> {
  let accepted = false;
  const onConnection = (): void => {
    accepted = true;
  };
  server.on('connection', onConnection);
  for (let turn = 0; turn < turnsMax; turn += 1) {
    accepted = false;
    const startedMs = performance.now();
    await nextTurn();
    if (!accepted && performance.now() - startedMs < emptyTurnMs) break;
  }
  server.off('connection', onConnection);
}
