import type { DLogger } from '@dbos-inc/dbos-sdk';

import type { Logger } from '../logger.ts';

/** The SDK logs at `info` what an operator wants at `debug`; its entries are plain text. */
export function sdkLogger(logger: Logger): DLogger {
  const part = { part: 'dbos' };
  return {
    debug: () => {},
    info: (entry) => logger.debug(part, String(entry)),
    warn: (entry) => logger.warn(part, String(entry)),
    error: (entry, metadata) => logger.error({ ...part, stack: metadata?.stack }, String(entry)),
  };
}
