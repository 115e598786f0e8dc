import type { Logger } from '../logger.ts';
import { SpanQueue } from './span-queue.ts';
import { errorType } from './span.ts';
import type { Tracer } from './tracer.ts';
import { createTracer } from './tracer.ts';
import type { TracingSettings } from './tracing-settings.ts';

/** About 3 MB. */
const waitingMax = 4_096;
const batchMax = 512;
const everyMs = 1_000;
const restMs = 5_000;

/** Null without settings: the packages that send traces are not even loaded. */
export async function startTracing(
  settings: TracingSettings | null,
  process: string,
  logger: Logger,
): Promise<Tracer | null> {
  if (settings === null) return null;
  const { createOtlpSender } = await import('./otlp-sender.ts');
  const queue = new SpanQueue({
    send: createOtlpSender(settings, process),
    waitingMax,
    batchMax,
    everyMs,
    restMs,
    onState: (error) => {
      if (error === null) logger.info('the receiver of traces accepts them');
      // Its message may repeat what the receiver answered.
      else
        logger.warn(
          { error: errorType(error) },
          'the receiver of traces does not accept them; they are dropped',
        );
    },
  });
  return createTracer(queue, settings.ratio);
}
