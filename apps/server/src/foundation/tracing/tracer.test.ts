import { seededRandom } from '@daybook/evidence';
import { expect, test } from 'vitest';

import { SpanQueue } from './span-queue.ts';
import type { Span } from './span.ts';
import { errorType } from './span.ts';
import { formatTraceParent, parseTraceParent } from './trace-parent.ts';
import type { Tracer } from './tracer.ts';
import { createSampler, createTracer } from './tracer.ts';

function openTracer(ratio = 1): Tracer {
  const queue = new SpanQueue({
    send: async () => {},
    waitingMax: 10,
    batchMax: 10,
    everyMs: 60_000,
    restMs: 60_000,
    onState: () => {},
  });
  return createTracer(queue, ratio);
}

const started = (tracer: Tracer): Span => {
  const span = tracer.startRoot('server', 'request');
  if (span === null) throw new Error('not sampled');
  return span;
};

test.each([0.5, 0.1, 0.01])('samples the share %d, independently of earlier decisions', (ratio) => {
  const isSampled = createSampler(ratio, seededRandom(7));
  const count = 200_000;
  const decisions = Array.from({ length: count }, isSampled);
  const sampled = decisions.filter(Boolean).length;
  const deviation = Math.sqrt(count * ratio * (1 - ratio));
  expect(Math.abs(sampled - count * ratio)).toBeLessThan(5 * deviation);
  const afterSampled = decisions.filter((_, index) => decisions[index - 1] === true);
  const sampledAgain = afterSampled.filter(Boolean).length;
  expect(Math.abs(sampledAgain - afterSampled.length * ratio)).toBeLessThan(
    5 * Math.sqrt(afterSampled.length * ratio * (1 - ratio)),
  );
});

test('samples everything with 1 and nothing with 0', () => {
  expect(createSampler(1)()).toBe(true);
  expect(createSampler(0)()).toBe(false);
  expect(openTracer(0).startRoot('server', 'request')).toBeNull();
});

test('gives a child the trace and the clock of its parent, and every span an id of its own', () => {
  const tracer = openTracer();
  const root = started(tracer);
  const child = tracer.startChild(root, 'client', 'statement');
  expect(child).toMatchObject({
    traceId: root.traceId,
    parentSpanId: root.spanId,
    clockOffsetMs: root.clockOffsetMs,
  });
  const others = Array.from({ length: 1_000 }, () => started(tracer));
  expect(new Set(others.map(({ traceId }) => traceId)).size).toBe(1_000);
  expect(new Set(others.map(({ spanId }) => spanId)).size).toBe(1_000);
  for (const { traceId, spanId } of others)
    expect(`${traceId} ${spanId}`).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
});

test('has a current span within its work until the span ends', async () => {
  const tracer = openTracer();
  const span = started(tracer);
  expect(tracer.current()).toBeUndefined();
  await tracer.run(span, async () => {
    await Promise.resolve();
    expect(tracer.current()).toBe(span);
    tracer.end(span);
    expect(tracer.current()).toBeUndefined();
  });
});

test('records the code or the class of an error, never its message', () => {
  const tracer = openTracer();
  const span = started(tracer);
  tracer.end(
    span,
    Object.assign(new Error('Key (email)=(nora@example.org) already exists'), { code: '23505' }),
  );
  expect(span).toMatchObject({ failed: true, attributes: { 'error.type': '23505' } });
  expect(errorType(new TypeError('nora@example.org'))).toBe('TypeError');
  expect(errorType(Object.assign(new Error(), { code: 'nora@example.org' }))).toBe('Error');
  expect(errorType('nora@example.org')).toBe('error');
});

test('reads the traceparent that it writes, and no other form', () => {
  const span = started(openTracer());
  const { traceId, spanId } = span;
  expect(parseTraceParent(formatTraceParent(span))).toEqual({ traceId, spanId });
  for (const wrong of [
    undefined,
    '',
    ['00'],
    `01-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase().replace(/^./, 'A')}-${spanId}-01`,
  ])
    expect(parseTraceParent(wrong)).toBeNull();
});
