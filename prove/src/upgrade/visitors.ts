import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { AskedRequest } from './send-request.ts';
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

interface Session {
  /** The body of the expected answer; null, and counted as a failure, after any other. */
  readonly ask: <Body>(expected: number, asked: AskedRequest) => Promise<Body | null>;
  readonly stopping: AbortSignal;
}

export function startVisitors({ port, readers, members, email, password }: VisitorSettings): Visitors {
  const agent = new Agent({ keepAlive: true });
  const stopping = new AbortController();
  const failures: Failure[] = [];
  const written: string[] = [];
  let [phase, requests, refreshes] = ['', 0, 0];
  const ask: Session['ask'] = async <Body>(expected: number, asked: AskedRequest) => {
    requests += 1;
    const { status, text } = await sendRequest(agent, port, asked);
    if (status === expected) return (asked.parse === false ? null : JSON.parse(text)) as Body;
    const answer = `${asked.method ?? 'GET'} ${asked.path}: ${status ?? ''} ${text.slice(0, 200)}`;
    failures.push({ phase, text: answer });
    return null;
  };
  const session = { ask, stopping: stopping.signal };
  const report = { written: (name: string) => written.push(name), refreshed: () => (refreshes += 1) };
  const running = [
    ...Array.from({ length: readers }, (_, reader) => read(session, reader)),
    ...Array.from({ length: members }, (_, member) =>
      write(session, `upgrade-${member}`, { email, password }, report),
    ),
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

async function read({ ask, stopping }: Session, reader: number): Promise<void> {
  for (let turn = reader; !stopping.aborted; turn += 1) {
    await ask(200, { path: pages[turn % pages.length] ?? '/', parse: false });
    await delay(readerPauseMs);
  }
}

/** Signs in, creates a project, and creates folders in it with a token that it refreshes. */
async function write(
  { ask, stopping }: Session,
  name: string,
  signIn: Pick<VisitorSettings, 'email' | 'password'>,
  report: { readonly written: (name: string) => void; readonly refreshed: () => void },
): Promise<void> {
  let tokens = await ask<Tokens>(200, { method: 'POST', path: '/api/auth/token', body: signIn });
  const token = (): string => tokens?.access_token ?? '';
  const created = { method: 'POST', path: '/api/v1/projects', token: token(), body: { name } } as const;
  const project = await ask<{ id: string }>(201, created);
  const path = `/api/v1/projects/${project?.id}/folders`;
  let refreshedAt = performance.now();
  for (let turn = 0; !stopping.aborted; turn += 1) {
    const body = { name: `${name}-${turn}` };
    const folder = await ask<{ id: string }>(201, { method: 'POST', path, token: token(), body });
    if (folder !== null) {
      report.written(body.name);
      await ask(200, { path: `/api/v1/folders/${folder.id}`, token: token() });
    }
    if (performance.now() - refreshedAt > refreshEveryMs) {
      refreshedAt = performance.now();
      const refresh = { refresh_token: tokens?.refresh_token };
      const asked = { method: 'POST', path: '/api/auth/token/refresh', body: refresh } as const;
      tokens = (await ask<Tokens>(200, asked)) ?? tokens;
      report.refreshed();
    }
    await delay(memberPauseMs);
  }
}
