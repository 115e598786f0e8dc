import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import { pino } from 'pino';

export type { Logger } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** JSON lines on standard output. Secrets are never passed to a logger; this list is a second safeguard. */
export function createLogger(level: LogLevel, process: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['*.authorization', '*.cookie', '*.password', '*.token', '*.secret', '*["x-api-key"]'],
      censor: '[redacted]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
