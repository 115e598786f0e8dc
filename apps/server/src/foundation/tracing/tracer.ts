import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

import { systemClock } from '../clock.ts';
import type { SpanCounts, SpanQueue } from './span-queue.ts';
import type { Span, SpanIdentity, SpanKind } from './span.ts';
import { errorType } from './span.ts';

/** What traced code calls. A process that sends no traces has none, and then nothing of this runs. */
export interface Tracer {
  /** A span without a parent; null where its trace is not sampled. */
  readonly startRoot: (kind: SpanKind, name: string) => Span | null;
  readonly startChild: (parent: SpanIdentity, kind: SpanKind, name: string) => Span;
  /** Ends it, failed where an error is given. */
  readonly end: (span: Span, error?: unknown) => void;
  /** Runs work within a span. */
  readonly run: <Output>(span: Span, work: () => Output) => Output;
  /** The span that the caller runs in, until it has ended: work that a request left behind is not part of its trace. */
  readonly current: () => Span | undefined;
  readonly counts: () => SpanCounts;
  readonly stop: () => Promise<void>;
}

/** How long the end of a process may wait for the receiver. */
const stopWithinMs = 2_000;

export function createTracer(queue: SpanQueue, ratio: number): Tracer {
  const spans = new AsyncLocalStorage<Span>();
  const isSampled = createSampler(ratio);
  const createId = createIds();
  const start = (traceId: string, parent: Partial<Span> | null, kind: SpanKind, name: string): Span => {
    const startMs = performance.now();
    return {
      traceId,
      spanId: createId(8),
      kind,
      parentSpanId: parent?.spanId ?? null,
      name,
      attributes: {},
      link: null,
      failed: false,
      startMs,
      // That of its parent: the spans of a trace in one process must not be torn apart by a step of the system clock.
      clockOffsetMs: parent?.clockOffsetMs ?? systemClock.nowMs() - startMs,
      endMs: null,
    };
  };
  return {
    startRoot: (kind, name) => (isSampled() ? start(createId(16), null, kind, name) : null),
    startChild: (parent, kind, name) => start(parent.traceId, parent, kind, name),
    end: (span, error) => {
      span.endMs = performance.now();
      if (error !== undefined) {
        span.failed = true;
        span.attributes['error.type'] = errorType(error);
      }
      queue.add(span);
    },
    run: (span, work) => spans.run(span, work),
    current: () => {
      const span = spans.getStore();
      return span?.endMs === null ? span : undefined;
    },
    counts: () => queue.counts,
    stop: () => queue.stop(stopWithinMs),
  };
}

/**
 * Independent decisions, of which the given share is positive. The number of negative ones before the next positive
 * one is drawn at once, so that a request that is not traced costs a decrement.
 */
export function createSampler(ratio: number, random: () => number = Math.random): () => boolean {
  if (ratio >= 1) return () => true;
  if (ratio <= 0) return () => false;
  const drawGap = (): number => Math.floor(Math.log(1 - random()) / Math.log(1 - ratio));
  let gap = drawGap();
  return () => {
    if (gap > 0) {
      gap -= 1;
      return false;
    }
    gap = drawGap();
    return true;
  };
}

const randomBytesAtOnce = 4_096;

/** Random hex digits, from bytes drawn in bulk. */
function createIds(): (bytes: 8 | 16) => string {
  const pool = Buffer.alloc(randomBytesAtOnce);
  let used = randomBytesAtOnce;
  return (bytes) => {
    if (used + bytes > randomBytesAtOnce) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.toString('hex', used - bytes, used);
  };
}
