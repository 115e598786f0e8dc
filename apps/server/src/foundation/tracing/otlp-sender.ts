import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';

import packageFile from '../../../package.json' with { type: 'json' };
import type { SendSpans } from './span-queue.ts';
import type { Span, SpanIdentity } from './span.ts';
import type { TracingSettings } from './tracing-settings.ts';

// Imported only by processes that send traces.

/** What OpenTelemetry's exporters take. */
type ReadableSpan = Parameters<OTLPTraceExporter['export']>[0][number];
type HrTime = ReadableSpan['startTime'];

/** With the exporter's own retries. */
const answerWithinMs = 5_000;
/** A receiver that sends its answer byte by byte never ends the exporter's own time. */
const sentWithinMs = 10_000;
const kinds: Readonly<Record<Span['kind'], SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};
const instrumentationScope = { name: 'daybook', version: packageFile.version };

/** Sends spans as OTLP over HTTP, in JSON. */
export function createOtlpSender(
  { endpoint, headers, serviceName }: TracingSettings,
  process: string,
): SendSpans {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: answerWithinMs,
    concurrencyLimit: 4,
  });
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': packageFile.version,
    'daybook.process': process,
  });
  return (spans) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the receiver of traces did not answer')), sentWithinMs);
      late.unref();
      exporter.export(
        spans.map((span) => readable(span, resource)),
        ({ error }) => {
          clearTimeout(late);
          // Each failure of the exporter has an error.
          if (error === undefined) resolve();
          else reject(error);
        },
      );
    });
}

function readable(span: Span, resource: ReadableSpan['resource']): ReadableSpan {
  const { name, kind, parentSpanId, attributes, link, failed, startMs, clockOffsetMs } = span;
  const endMs = span.endMs ?? startMs;
  const context = contextOf(span);
  return {
    name,
    kind: kinds[kind],
    spanContext: () => context,
    ...(parentSpanId !== null && {
      parentSpanContext: contextOf({ traceId: span.traceId, spanId: parentSpanId }),
    }),
    startTime: hrTime(clockOffsetMs + startMs),
    endTime: hrTime(clockOffsetMs + endMs),
    duration: hrTime(endMs - startMs),
    status: { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes,
    links: link === null ? noLinks : [{ context: contextOf(link) }],
    events: noEvents,
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const noLinks: ReadableSpan['links'] = [];
const noEvents: ReadableSpan['events'] = [];

const contextOf = ({ traceId, spanId }: SpanIdentity): ReturnType<ReadableSpan['spanContext']> => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
});

/** Seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.floor((ms - seconds * 1_000) * 1e6)];
}
