import type { SpanIdentity } from './span.ts';

const format = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The header `traceparent` of W3C Trace Context, version 00. */
export function parseTraceParent(value: unknown): SpanIdentity | null {
  if (typeof value !== 'string') return null;
  const [, traceId, spanId] = format.exec(value) ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}

/** Of a sampled span. */
export function formatTraceParent({ traceId, spanId }: SpanIdentity): string {
  return `00-${traceId}-${spanId}-01`;
}
