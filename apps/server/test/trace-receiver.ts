import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty without a parent. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** The name of the process in its resource. */
  readonly process: unknown;
}

/** Accepts, never answers, answers only when it is released, or refuses. */
export type ReceiverBehaviour = 'accepting' | 'silent' | 'refusing';

export interface TraceReceiver {
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** All requests as they were sent, with their headers. */
  readonly received: () => string;
  /** From now on it behaves so; one that was silent answers what it received. */
  readonly behave: (behaviour: ReceiverBehaviour) => void;
  readonly close: () => Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface SentSpan extends Omit<ReceivedSpan, 'attributes' | 'failed' | 'process'> {
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

/** A receiver of OTLP over HTTP on loopback. */
export async function startTraceReceiver(initial: ReceiverBehaviour = 'accepting'): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: string[] = [];
  const unanswered: ServerResponse[] = [];
  let behaviour = initial;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    requests.push(`${request.url}\n${request.rawHeaders.join('\n')}\n${body}`);
    if (behaviour === 'refusing') {
      response.writeHead(400).end();
      return;
    }
    spans.push(...spansOf(JSON.parse(body) as Exported));
    if (behaviour === 'accepting') response.end('{}');
    else unanswered.push(response);
  };
  const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    received: () => requests.join('\n'),
    behave: (next) => {
      behaviour = next;
      for (const response of unanswered.splice(0)) response.end('{}');
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text;
}

function spansOf({ resourceSpans }: Exported): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        parentSpanId: span.parentSpanId ?? '',
        failed: span.status.code === 2,
        attributes: valuesOf(span.attributes),
        process: valuesOf(resource.attributes)['daybook.process'],
      })),
    ),
  );
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
