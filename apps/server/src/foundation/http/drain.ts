import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

export interface DrainOptions {
  readonly server: FastifyInstance;
  readonly logger: FastifyBaseLogger;
  /** Between "not ready" and closing the listener: long enough for whoever routes to us to notice. */
  readonly noticeMs: number;
  /** How long requests under way may still take. */
  readonly finishMs: number;
  /** Makes /readyz say no and answers carry `Connection: close`. */
  readonly beginDraining: () => void;
}

/**
 * Leaves without dropping a request: first says that it is leaving while it still serves, then takes no new
 * connection, then waits for what it has accepted.
 */
export async function drain(options: DrainOptions): Promise<void> {
  options.beginDraining();
  options.logger.info({ noticeMs: options.noticeMs }, 'leaving: not ready any more, still serving');
  await delay(options.noticeMs);
  const closed = options.server.close();
  const late = delay(options.finishMs, 'late' as const, { ref: false });
  if ((await Promise.race([closed, late])) === 'late') {
    options.logger.error('requests were still under way at the deadline and are cut off');
    options.server.server.closeAllConnections();
    await closed;
  }
}
