import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import type { ApiChild } from '../http/api-child.ts';
import { freePorts, prepareDatabase, startApiChild } from '../http/api-child.ts';
import { attempt } from '../http/http-load.ts';
import type { SlowClient } from '../http/slow-clients.ts';
import { startSlowReader, startSlowWriter } from '../http/slow-clients.ts';

export const suite: Suite = {
  name: 'streams',
  measuresNoTime: true,
  summary: 'A thousand slow uploads and downloads at once do not grow memory or affect other requests.',
  headline: 'streams open at once',
  promise:
    'A thousand uploads and downloads, each as slow as the limits allow, are open on one api process. Memory stays flat and other requests are answered. A fast upload does not cause repeated collections of the whole heap. A client that sends no bytes gets 408, a client that disconnects frees its place, and SIGTERM ends the process in order.',
  run: async (context) => {
    const cluster = await startCluster();
    let api: ApiChild | null = null;
    const clients: SlowClient[] = [];
    try {
      const [port = 0] = await freePorts(1);
      api = await startApiChild(await prepareDatabase(cluster), port, settings, bounds);
      await sendFast(context, api.port);
      await holdStreams(context, api, clients);
    } finally {
      for (const client of clients) client.leave();
      api?.process.kill('SIGKILL');
      await cluster.remove();
    }
  },
};

const settings = { DAYBOOK_DRAIN_NOTICE_MS: '500' };
const bounds = { drainFinishMs: 1_000 };
const standingStill = 10;

const sentBytes = 896 * 1024 ** 2;
const pieceBytes = 1024 ** 2;

/** Left to itself V8 collects the whole heap for every 50 MB or so that come in. */
async function sendFast(context: SuiteContext, port: number): Promise<void> {
  const before = await readMetrics(port);
  const sending = request({
    port,
    method: 'POST',
    path: '/sink',
    headers: { 'content-length': String(sentBytes) },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sending.once('response', (answer) => resolve(answer.resume().statusCode ?? 0)).once('error', reject);
  });
  const piece = Buffer.alloc(pieceBytes);
  await pipeline(Readable.from(Array.from({ length: sentBytes / pieceBytes }, () => piece)), sending);
  context.figure({
    name: 'status of a fast upload',
    value: await answered,
    unit: '',
    goal: { exactly: 200 },
  });
  context.figure({
    name: 'full collections during an upload of 896 MiB',
    value: (await readMetrics(port)).wholeCollections - before.wholeCollections,
    unit: 'collections',
    goal: { atMost: 4 },
  });
}

async function holdStreams(context: SuiteContext, api: ApiChild, clients: SlowClient[]): Promise<void> {
  const { port } = api;
  const streams = context.quick ? 300 : 990;
  await readsFor(port, 500);
  const before = await readMetrics(port);
  for (let turn = 0; turn < streams; turn += 1)
    clients.push(turn % 2 === 0 ? startSlowReader(port) : startSlowWriter(port));
  const still = Array.from({ length: standingStill }, () => startSlowWriter(port, { standsStill: true }));
  clients.push(...still);
  await until(async () => (await readMetrics(port)).streams >= streams);
  const opened = await readMetrics(port);
  const answered = await readsFor(port, context.quick ? 8_500 : 20_000);
  const held = await readMetrics(port);
  const megabytes = (bytes: number): number => bytes / 1024 / 1024;
  context.figure({
    name: 'streams open at once',
    value: held.streams,
    unit: 'streams',
    goal: { atLeast: streams },
  });
  context.figure({
    name: 'memory of a stream',
    value: (held.bytes - before.bytes) / 1024 / streams,
    unit: 'KiB',
    goal: { atMost: 512 },
  });
  context.figure({
    name: 'growth of the process during the transfer',
    value: megabytes(held.bytes - opened.bytes),
    unit: 'MiB',
    goal: { atMost: 64 },
  });
  context.figure({
    name: 'other requests without a response meanwhile',
    value: answered.filter((status) => status !== 200).length,
    unit: `of ${answered.length} requests`,
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'stalled clients that got 408',
    value: still.filter((client) => client.heard().startsWith('HTTP/1.1 408')).length,
    unit: 'clients',
    goal: { exactly: standingStill },
  });
  await leaveAndDrain(context, api, clients.slice(0, streams));
}

async function leaveAndDrain(
  context: SuiteContext,
  api: ApiChild,
  clients: readonly SlowClient[],
): Promise<void> {
  const cut = clients.filter((client) => client.hasEnded()).length;
  context.figure({ name: 'slow clients disconnected', value: cut, unit: 'clients', goal: { exactly: 0 } });
  const half = clients.length / 2;
  for (const client of clients.slice(0, half)) client.leave();
  await until(async () => (await readMetrics(api.port)).streams <= half);
  const { streams } = await readMetrics(api.port);
  context.figure({
    name: 'places not freed by disconnected clients',
    value: streams - half,
    unit: 'streams',
    goal: { exactly: 0 },
  });
  api.process.kill('SIGTERM');
  const exitCode = await Promise.race([api.ended, delay(10_000, null)]);
  context.figure({
    name: 'exit code after SIGTERM with open streams',
    value: exitCode ?? -1,
    unit: '',
    goal: { exactly: 0 },
  });
}

async function readsFor(port: number, forMs: number): Promise<(number | null)[]> {
  const statuses: (number | null)[] = [];
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const id = String(statuses.length);
    const path = `/read/${id}?waitMs=0`;
    statuses.push((await attempt(false, port, { label: 'read', method: 'GET', path, id })).status);
    await delay(5);
  }
  return statuses;
}

interface Metrics {
  readonly bytes: number;
  readonly streams: number;
  readonly wholeCollections: number;
}

async function readMetrics(port: number): Promise<Metrics> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  return {
    bytes: read('process_resident_memory_bytes'),
    streams: read('daybook_http_streams_open'),
    // Absent before the first.
    wholeCollections: read('nodejs_gc_duration_seconds_count\\{kind="major"\\}') || 0,
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return;
    await delay(25);
  }
}
