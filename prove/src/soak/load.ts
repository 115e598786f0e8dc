import { Agent, request as httpRequest } from 'node:http';

import type { SoakInstallation } from './installation.ts';

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key?: string;
  readonly body?: string;
  readonly contentType?: string;
}

export interface SoakLoad {
  readonly requests: () => number;
  readonly failures: readonly string[];
  /** With 503, as an overloaded process answers. */
  readonly refused: () => number;
  /** Requests that were due while as many as allowed were under way. */
  readonly skipped: () => number;
  readonly stop: () => Promise<void>;
}

const pages = [
  '/',
  '/hot',
  '/timeline',
  '/daily',
  '/zh/hot',
  '/api/v1/items',
  '/api/v1/hot-topics',
  '/api/v1/dailies/latest',
  '/api/v1/selected/changes',
  '/feeds/selected.atom',
  '/agent/latest.md',
  '/log/checkpoint',
];
const words = ['model', 'agent', 'chip', 'release', 'funding', 'policy', '模型', '发布'];
const underWayMax = 128;
const tickMs = 10;

/** Mostly what a cache has, some lists and searches that none has, and members that read and write. */
function requestOf(turn: number, { projectId, credentials: { key } }: SoakInstallation): Asked {
  const kind = turn % 20;
  if (kind === 0) return { method: 'GET', path: `/api/v1/items?limit=${1 + (turn % 100)}` };
  if (kind === 1)
    return { method: 'GET', path: `/api/v1/items?q=${encodeURIComponent(words[turn % 7] ?? '')}` };
  if (kind === 2) return { method: 'GET', path: `/api/v1/projects/${projectId}`, key };
  if (kind === 3) return { method: 'GET', path: '/api/v1/me', key };
  if (turn % 200 === 5)
    return {
      method: 'POST',
      path: `/api/v1/projects/${projectId}/files?name=soak-${turn}&mediaType=text/plain`,
      key,
      body: `The file of turn ${turn}.\n`.repeat(50),
      contentType: 'application/octet-stream',
    };
  if (turn % 200 === 6) {
    const body = JSON.stringify({ email: 'ada@example.org', password: 'a wrong password' });
    return { method: 'POST', path: '/api/auth/token', body, contentType: 'application/json' };
  }
  return { method: 'GET', path: pages[turn % pages.length] ?? '/' };
}

/** Requests a second with clients that never wait between two requests. */
export async function measureSaturation(
  installation: SoakInstallation,
  { clients, forMs }: { readonly clients: number; readonly forMs: number },
): Promise<number> {
  const sender = createSender(installation);
  const endMs = performance.now() + forMs;
  let answered = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await sender.send();
      answered += 1;
    }
  };
  const fromMs = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  sender.close();
  return (answered * 1_000) / (performance.now() - fromMs);
}

/** The same requests at a constant rate, however long each takes. */
export function startSoakLoad(installation: SoakInstallation, perSecond: number): SoakLoad {
  const sender = createSender(installation);
  const fromMs = performance.now();
  let [begun, skipped] = [0, 0];
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - fromMs) * perSecond) / 1_000);
    for (; begun + skipped < due;) {
      if (underWay.size >= underWayMax) {
        skipped += 1;
        continue;
      }
      begun += 1;
      const sent = sender.send();
      underWay.add(sent);
      void sent.finally(() => underWay.delete(sent));
    }
  }, tickMs);
  return {
    requests: () => begun,
    skipped: () => skipped,
    failures: sender.failures,
    refused: sender.refused,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      sender.close();
    },
  };
}

interface Sender {
  readonly send: () => Promise<void>;
  readonly failures: readonly string[];
  readonly refused: () => number;
  readonly close: () => void;
}

function createSender(installation: SoakInstallation): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: underWayMax });
  const failures: string[] = [];
  let [turn, refused] = [0, 0];
  return {
    failures,
    refused: () => refused,
    close: () => agent.destroy(),
    send: async () => {
      const asked = requestOf((turn += 1), installation);
      const status = await sendOnce(agent, installation.edgePort, asked);
      // A list without a daily yet is 404, a wrong password 401 and later 429.
      if (status === 503) refused += 1;
      else if (typeof status === 'string' || status >= 500)
        failures.push(`${asked.method} ${asked.path}: ${status}`);
    },
  };
}

async function sendOnce(agent: Agent, port: number, asked: Asked): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>();
  const headers = {
    ...(asked.key !== undefined && { 'x-api-key': asked.key }),
    ...(asked.body !== undefined && {
      'content-type': asked.contentType,
      'content-length': Buffer.byteLength(asked.body),
    }),
  };
  const options = { host: '127.0.0.1', port, path: asked.path, method: asked.method, agent, headers };
  const request = httpRequest(options, (response) => {
    response.on('error', (error) => resolve(error.message));
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  request.on('error', (error) => resolve(error.message));
  request.end(asked.body);
  return promise;
}
