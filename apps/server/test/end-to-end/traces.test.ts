import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../database.ts';
import { createTestDatabase } from '../database.ts';
import { findInText } from '../secret-search.ts';
import type { ReceivedSpan, TraceReceiver } from '../trace-receiver.ts';
import { startTraceReceiver } from '../trace-receiver.ts';

const program = fileURLToPath(new URL('../../src/bin/daybook.ts', import.meta.url));
const tracedProgram = fileURLToPath(new URL('../traced-process.ts', import.meta.url));
const until = { timeout: 60_000, interval: 50 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
const children: ChildProcess[] = [];
const receivers: TraceReceiver[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const receiver of receivers.splice(0)) await receiver.close();
});
afterAll(() => database.drop());

async function openReceiver(...behaviour: Parameters<typeof startTraceReceiver>): Promise<TraceReceiver> {
  const receiver = await startTraceReceiver(...behaviour);
  receivers.push(receiver);
  return receiver;
}

function start(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  stdio: 'ignore' | 'pipe',
): ChildProcess {
  const child = spawn(process.execPath, [...args], {
    stdio: ['ignore', stdio, 'inherit', 'ipc'],
    env: {
      DATABASE_URL: database.urls.application,
      DATABASE_READER_URL: database.urls.newsReader,
      DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
      PORT: '0',
      DAYBOOK_DRAIN_NOTICE_MS: '0',
      DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
      DAYBOOK_RATE_PER_MINUTE: '1000000000',
      ...settings,
    },
  });
  children.push(child);
  return child;
}

/** `daybook api`; returns its address. */
async function startApi(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const child = start([...args, program, 'api'], settings, 'pipe');
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { msg, address = '' } = JSON.parse(line) as { readonly msg: string; readonly address?: string };
    if (msg === 'listening') {
      child.stdout?.resume();
      return { child, address };
    }
  }
  throw new Error('the api ended before it listened');
}

/** An api or a worker of `traced-process.ts`. */
async function startTraced(kind: 'api' | 'worker', receiver: TraceReceiver): Promise<string> {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, DAYBOOK_LOG_LEVEL: 'warn' };
  const [port] = (await once(start([tracedProgram, kind], settings, 'ignore'), 'message')) as [number];
  return `http://127.0.0.1:${port}`;
}

async function metric(address: string, line: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length) ?? 'NaN');
}

const named = (receiver: TraceReceiver, name: string): readonly ReceivedSpan[] =>
  receiver.spans().filter((span) => span.name === name);

async function only(receiver: TraceReceiver, name: string): Promise<ReceivedSpan> {
  await expect.poll(() => named(receiver, name).length, until).toBe(1);
  return named(receiver, name)[0] as ReceivedSpan;
}

test('a request, its statements and the steps of the workflow that it starts are one trace over two processes', async () => {
  const receiver = await openReceiver();
  const [address] = await Promise.all([startTraced('api', receiver), startTraced('worker', receiver)]);
  const response = await fetch(`${address}/notes/note-1?about=otters`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'a text that stays here' }),
  });
  expect(response.status).toBe(202);
  const request = await only(receiver, 'POST /notes/:id');
  expect(request).toMatchObject({ parentSpanId: '', process: 'api', failed: false });
  expect(request.attributes).toEqual({
    'http.route': '/notes/:id',
    'http.request.method': 'POST',
    'http.response.status_code': 202,
    'daybook.request.id': response.headers.get('x-request-id'),
  });
  const below = (parent: ReceivedSpan): readonly ReceivedSpan[] =>
    receiver.spans().filter((span) => span.parentSpanId === parent.spanId);
  const run = await only(receiver, 'keep-note');
  expect(run).toMatchObject({ parentSpanId: request.spanId, process: 'worker' });
  expect(run.attributes).toEqual({
    'daybook.workflow.name': 'keep-note',
    'daybook.workflow.run_id': 'note-1',
  });
  expect(below(request).map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'begin',
      'select foundation.executor',
      'insert dbos.workflow_status',
      'commit',
      'keep-note',
    ]),
  );
  const [measure, store] = [
    await only(receiver, 'keep-note measure'),
    await only(receiver, 'keep-note store'),
  ];
  expect([measure.parentSpanId, store.parentSpanId]).toEqual([run.spanId, run.spanId]);
  expect(measure.attributes['daybook.workflow.step']).toBe('measure');
  expect(below(measure).map(({ name }) => name)).toEqual(['select foundation.executor']);
  expect(below(store).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['begin', 'select', 'insert foundation.committed_step', 'commit']),
  );
  const traced = [request, run, measure, store].flatMap((span) => [span, ...below(span)]);
  expect(new Set(traced.map(({ traceId }) => traceId))).toEqual(new Set([request.traceId]));
  expect(findInText(receiver.received(), { text: 'a text that stays here', query: 'otters' })).toEqual([]);
}, 120_000);

describe('of a real api process', () => {
  test('no span contains a query, a body, a credential, an address or a name that a client sent', async () => {
    const receiver = await openReceiver();
    const key = 'the-key-of-the-receiver';
    const { child, address } = await startApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${key}`,
    });
    const sent = {
      token: 'dbp_e0fd1c9a7777aaaa',
      cookie: 'c2VjcmV0LWNvb2tpZQ',
      mail: 'nora.secret@example.org',
      password: 'correct-horse-battery',
      query: 'otterquery',
      path: 'otterpath',
      agent: 'otteragent',
      client: '203.0.113.77',
    };
    const headers = {
      authorization: `Bearer ${sent.token}`,
      'x-api-key': sent.token,
      cookie: `session=${sent.cookie}; __Host-session=${sent.cookie}`,
      'user-agent': sent.agent,
      'x-forwarded-for': sent.client,
    };
    const statusOf = async (path: string, body: string | URLSearchParams | null = null): Promise<number> => {
      const response = await fetch(address + path, {
        method: body === null ? 'GET' : 'POST',
        headers: { ...headers, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
        body,
      });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await statusOf(`/api/v1/items?q=${sent.query}`)).toBe(200);
    expect(await statusOf(`/api/v1/items/${sent.path}`)).toBe(404);
    expect(await statusOf(`/${sent.path}`)).toBe(404);
    await statusOf(`/account?next=${sent.query}`);
    const grant = { grant_type: 'password', username: sent.mail, email: sent.mail, password: sent.password };
    await statusOf('/api/auth/token', JSON.stringify(grant));
    await statusOf('/auth/signin', new URLSearchParams({ ...grant, identifier: sent.mail }));
    const ended = once(child, 'exit');
    // What waits is sent before the process ends.
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const names = receiver.spans().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['GET /api/v1/items', 'POST /api/auth/token', 'POST /auth/signin']),
    );
    expect(names.filter((name) => name.startsWith('select ')).length).toBeGreaterThan(0);
    expect(findInText(receiver.received(), { key })).toEqual(['key']);
    expect(findInText(receiver.received(), sent)).toEqual([]);
    expect(
      findInText(receiver.received(), { user: decodeURIComponent(sent.mail).split('@')[0] ?? '' }),
    ).toEqual([]);
  }, 120_000);

  test('a traceparent of a client is linked, and decides neither the trace nor whether there is one', async () => {
    const receiver = await openReceiver();
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const { address } = await startApi({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const ask = async (path: string, traceparent: string): Promise<void> => {
      await (await fetch(address + path, { headers: { traceparent, tracestate: 'a=otters' } })).arrayBuffer();
    };
    await ask('/livez', `00-${traceId}-${spanId}-00`);
    await ask('/sources', 'ff-otters-01');
    const span = await only(receiver, 'GET /livez');
    expect(span).toMatchObject({ parentSpanId: '', links: [{ traceId, spanId }] });
    expect(span.traceId).not.toBe(traceId);
    expect((await only(receiver, 'GET /sources')).links).toEqual([]);
    expect(receiver.received()).not.toContain('otters');
    const unsampled = await openReceiver();
    const settings = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const { address: silent } = await startApi({
      ...settings,
      OTEL_EXPORTER_OTLP_ENDPOINT: unsampled.url,
    });
    await fetch(`${silent}/livez`, { headers: { traceparent: `00-${traceId}-${spanId}-01` } });
    expect(await metric(silent, 'daybook_trace_spans_exported_total')).toBe(0);
    expect(unsampled.spans()).toEqual([]);
  }, 120_000);

  test('a trace contains the statements of its own request, with others on the same connection untraced', async () => {
    const receiver = await openReceiver();
    const settings = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
    const { child, address } = await startApi({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const requests = 60;
    for (let index = 0; index < requests; index += 1)
      await (await fetch(`${address}/api/v1/items?q=word${index}`)).arrayBuffer();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    const roots = named(receiver, 'GET /api/v1/items');
    // Fair coins fall outside of this range once in 10^9 runs.
    expect(roots.length).toBeGreaterThan(requests * 0.1);
    expect(roots.length).toBeLessThan(requests * 0.9);
    const sizes = roots.map(
      ({ traceId }) => receiver.spans().filter((span) => span.traceId === traceId).length,
    );
    // Of equal requests; the first ones may connect.
    expect(new Set(sizes.slice(2)).size).toBe(1);
    expect(sizes.at(-1)).toBeGreaterThan(1);
    expect(receiver.spans().length).toBe(sizes.reduce((sum, size) => sum + size, 0));
  }, 120_000);
});

describe('with a receiver that', () => {
  /** More than the queue and the batch under way. */
  const requests = 5_500;

  /** Over one connection, without waiting for the responses in between. */
  async function sendAll(address: string, requests: number): Promise<void> {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /livez HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(requests));
    const ok = 'HTTP/1.1 200 OK';
    let [text, end, answered] = ['', 0, 0];
    for await (const chunk of socket.setEncoding('latin1')) {
      text += chunk as string;
      for (let at = text.indexOf(ok, end); at !== -1; at = text.indexOf(ok, end)) {
        answered += 1;
        end = at + ok.length;
      }
      if (answered === requests) break;
    }
    expect(answered).toBe(requests);
  }

  test('never answers, every request is answered, and what does not fit the queue is dropped and counted', async () => {
    const receiver = await openReceiver('silent');
    const { child, address } = await startApi({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await sendAll(address, requests);
    expect(await metric(address, 'daybook_trace_spans_exported_total')).toBe(0);
    const dropped =
      (await metric(address, 'daybook_trace_spans_dropped_total{by="queue"}')) +
      (await metric(address, 'daybook_trace_spans_dropped_total{by="receiver"}'));
    // All that neither wait nor are on their way, however long the requests took.
    expect(dropped).toBeGreaterThanOrEqual(requests - 4_096 - 512);
    receiver.behave('accepting');
    await expect.poll(() => metric(address, 'daybook_trace_spans_exported_total'), until).toBeGreaterThan(0);
    receiver.behave('silent');
    await sendAll(address, 40);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }, 120_000);

  test.each(['refuses', 'is not there'])(
    '%s, every request is answered and spans are dropped',
    async (how) => {
      const receiver = await openReceiver('refusing');
      if (how === 'is not there') await receivers.pop()?.close();
      const { child, address } = await startApi({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
      await sendAll(address, 1_000);
      await expect
        .poll(() => metric(address, 'daybook_trace_spans_dropped_total{by="receiver"}'), until)
        .toBeGreaterThan(0);
      expect(await metric(address, 'daybook_trace_spans_exported_total')).toBe(0);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    },
    120_000,
  );
});

describe('without an endpoint', () => {
  /** Sends each package of OpenTelemetry that a module outside of them loads, with the package that loads it. */
  const watch = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    const packageOf = (url) => /node_modules[/]((?:@[^/]+[/])?[^/]+)[^]*$/.exec(url ?? '')?.[1] ?? 'daybook';
    registerHooks({
      resolve(specifier, context, next) {
        const by = packageOf(context.parentURL);
        if (specifier.startsWith('@opentelemetry/') && !by.startsWith('@opentelemetry/'))
          process.send?.(specifier + ' by ' + by);
        return next(specifier, context);
      },
    });
  `)}`;

  async function loads(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const seen = new Set<string>();
    const { child, address } = await startApi(settings, '--import', watch);
    child.on('message', (line) => seen.add(line as string));
    for (const path of ['/api/v1/items', '/auth/signin', '/metrics', '/livez'])
      await (await fetch(address + path)).arrayBuffer();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    return [...seen].sort();
  }

  test('a real api process loads nothing of OpenTelemetry beyond what prom-client loads of its own', async () => {
    // The library of metrics loads the no-op interface in every process, with or without traces.
    const always = ['@opentelemetry/api by prom-client'];
    expect(await loads({})).toEqual(always);
    const receiver = await openReceiver();
    expect(await loads({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })).toEqual([
      '@opentelemetry/api by daybook',
      ...always,
      '@opentelemetry/exporter-trace-otlp-http by daybook',
      '@opentelemetry/resources by daybook',
    ]);
  }, 120_000);
});
