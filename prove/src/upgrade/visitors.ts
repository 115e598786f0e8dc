import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { sendRequest } from './send-request.ts';

export interface Failure {
  readonly phase: string;
  readonly text: string;
}

/** Readers, and members who write with tokens that they refresh. */
export interface Visitors {
  readonly requests: () => number;
  readonly failures: readonly Failure[];
  /** Names of the folders whose creation was confirmed. */
  readonly written: readonly string[];
  readonly refreshes: () => number;
  readonly enter: (phase: string) => void;
  /** Waits for requests in progress. */
  readonly stop: () => Promise<void>;
}

export interface VisitorSettings {
  readonly port: number;
  readonly readers: number;
  readonly members: number;
  readonly email: string;
  readonly password: string;
}

const pages = [
  '/',
  '/hot',
  '/api/v1/items',
  '/api/v1/items?limit=7',
  '/feeds/selected.atom',
  '/agent/latest.md',
];
const readerPauseMs = 40;
const memberPauseMs = 60;
/** Ten a minute are allowed for one address. */
const refreshEveryMs = 15_000;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export async function startVisitors({ port, ...settings }: VisitorSettings): Promise<Visitors> {
  const agent = new Agent({ keepAlive: true });
  const stopping = new AbortController();
  const failures: Failure[] = [];
  const written: string[] = [];
  let [phase, requests, refreshes] = ['', 0, 0];
  const ask = async <Body>(
    expected: number,
    words: Parameters<typeof sendRequest>[2],
  ): Promise<Body | null> => {
    requests += 1;
    const { status, text } = await sendRequest(agent, port, words);
    if (status === expected) return (words.parse === false ? null : JSON.parse(text)) as Body;
    const answer = `${words.method ?? 'GET'} ${words.path}: ${status ?? ''} ${text.slice(0, 200)}`;
    failures.push({ phase, text: answer });
    return null;
  };
  const signIn = { email: settings.email, password: settings.password };
  const read = async (reader: number): Promise<void> => {
    for (let turn = reader; !stopping.signal.aborted; turn += 1) {
      await ask(200, { path: pages[turn % pages.length] ?? '/', parse: false });
      await delay(readerPauseMs);
    }
  };
  const write = async (member: number): Promise<void> => {
    let tokens = await ask<Tokens>(200, { method: 'POST', path: '/api/auth/token', body: signIn });
    const token = (): string => tokens?.access_token ?? '';
    const name = `upgrade-${member}`;
    const project = await ask<{ id: string }>(201, {
      method: 'POST',
      path: '/api/v1/projects',
      token: token(),
      body: { name },
    });
    let refreshedAt = performance.now();
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const body = { name: `${name}-${turn}` };
      const path = `/api/v1/projects/${project?.id}/folders`;
      const folder = await ask<{ id: string }>(201, { method: 'POST', path, token: token(), body });
      if (folder !== null) {
        written.push(body.name);
        await ask(200, { path: `/api/v1/folders/${folder.id}`, token: token() });
      }
      if (performance.now() - refreshedAt > refreshEveryMs) {
        refreshedAt = performance.now();
        const refresh = { refresh_token: tokens?.refresh_token };
        tokens =
          (await ask<Tokens>(200, { method: 'POST', path: '/api/auth/token/refresh', body: refresh })) ??
          tokens;
        refreshes += 1;
      }
      await delay(memberPauseMs);
    }
  };
  const running = [
    ...Array.from({ length: settings.readers }, (_, reader) => read(reader)),
    ...Array.from({ length: settings.members }, (_, member) => write(member)),
  ];
  return {
    requests: () => requests,
    refreshes: () => refreshes,
    failures,
    written,
    enter: (name) => {
      phase = name;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      agent.destroy();
    },
  };
}
