import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, normalize } from 'node:path';

import type { TestServer } from '../../../packages/client/test/ledger-server.ts';
import { item, json, LedgerServer, serve } from '../../../packages/client/test/ledger-server.ts';

type Behaviour = (request: IncomingMessage, response: ServerResponse, at: number) => void;

/** Behaviours of servers and intermediaries towards a client, each under its own address. */
const behaviours: Record<string, Behaviour> = {
  echo: (request, response) =>
    json(response, { url: request.url, userAgent: request.headers['user-agent'], unknown: { kept: [1] } }),
  fresh: (_request, response, at) => json(response, { at }, { 'cache-control': 'public, s-maxage=60' }),
  'max-age': (_request, response, at) => json(response, { at }, { 'cache-control': 'max-age=60' }),
  tagged: (request, response, at) => {
    const headers = { etag: '"a"', 'cache-control': 'public, s-maxage=60' };
    if (request.headers['if-none-match'] === '"a"') response.writeHead(304, headers).end();
    else json(response, { at }, headers);
  },
  slow: (_request, response, at) => void setTimeout(() => json(response, { at }), 150),
  silent: () => {},
  limited: (_request, response, at) => refuseFirst(response, at, 429),
  shedding: (_request, response, at) => refuseFirst(response, at, 503),
  failing: (_request, response, at) =>
    at < 3 ? json(response, { code: 'broken', detail: '' }, {}, 500) : json(response, { at }),
  closed: (_request, response) =>
    json(response, { code: 'closed', detail: 'for long' }, { 'retry-after': '900' }, 503),
  cut: (_request, response, at) => {
    if (at > 1) json(response, { at });
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"at":');
  },
  broken: (request, response, at) => void (at > 2 ? json(response, { at }) : request.socket.destroy()),
  withdrawn: (_request, response) => json(response, { code: 'withdrawn', detail: 'gone', extra: 1 }, {}, 410),
  html: (_request, response) => void response.writeHead(404).end('<html>not ours'),
  markdown: (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/markdown; charset=utf-8' }).end('# 模型'),
  moved: (request, response) => {
    if (request.url?.endsWith('/new') === true) json(response, { story: {} });
    else response.writeHead(308, { location: './new' }).end();
  },
  pages: (_request, response, at) =>
    json(response, { items: [item(String(at))], page: { nextCursor: at < 3 ? `c${at}` : null } }),
  'pages-refused': (_request, response, at) => {
    if (at > 1) json(response, { code: 'gone', detail: '' }, {}, 410);
    else json(response, { items: [item('1')], page: { nextCursor: 'c' } });
  },
};

function refuseFirst(response: ServerResponse, at: number, status: number): void {
  if (at === 1) json(response, { code: 'later', detail: '' }, { 'retry-after': '7' }, status);
  else json(response, { at });
}

/** The path's first part selects the behaviour, counted per second part; serves a folder to browsers. */
export function serveChecks(folder: string): Promise<TestServer> {
  const counts = new Map<string, number>();
  const ledgers = new Map<string, LedgerServer>();
  return serve((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const [, name = '', run = ''] = url.pathname.split('/');
    if (name === 'files') {
      sendFile(response, folder, url.pathname.slice('/files'.length));
    } else if (name === 'count') {
      json(response, { count: counts.get(url.searchParams.get('of') ?? '') ?? 0 });
    } else if (name === 'ledger') {
      const ledger = ledgers.get(run) ?? filledLedger();
      ledgers.set(run, ledger);
      ledger.handle(request, response);
    } else {
      const key = `${name}/${run}`;
      const at = (counts.get(key) ?? 0) + 1;
      counts.set(key, at);
      behaviours[name]?.(request, response, at);
    }
  });
}

function filledLedger(): LedgerServer {
  const ledger = new LedgerServer();
  for (let at = 0; at < 25; at += 1) ledger.put(item(`id-${at}`));
  return ledger;
}

function sendFile(response: ServerResponse, folder: string, path: string): void {
  const type = path.endsWith('.html') ? 'text/html' : 'text/javascript';
  try {
    const text = readFileSync(join(folder, normalize(path)));
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  } catch {
    response.writeHead(404).end();
  }
}
