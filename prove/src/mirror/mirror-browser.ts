import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { browserProgram } from '../../../apps/server/test/browser.ts';
import type { LifeDemand } from './follow-and-report.ts';
import { MirrorLife } from './mirror-life.ts';

/** Mirrors in a page of Chromium: all lives have one profile, and so one database. */
export interface MirrorBrowser {
  readonly start: (demand: LifeDemand) => MirrorLife;
  readonly close: () => Promise<void>;
}

const folders: Record<string, string> = {
  client: fileURLToPath(new URL('../../../packages/client/src', import.meta.url)),
  prove: fileURLToPath(new URL('..', import.meta.url)),
};
const imports = {
  '@daybook/client': '/client/index.ts',
  '@daybook/client/mirror': '/client/mirror/index.ts',
  '@daybook/client/mirror/indexed-db': '/client/mirror/indexed-db-store.ts',
};

export async function openMirrorBrowser(profile: string): Promise<MirrorBrowser> {
  /** The output of each life, by its number. */
  const outputs: PassThrough[] = [];
  const children: ChildProcess[] = [];
  const demands: LifeDemand[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, place = '', ...rest] = (request.url ?? '').split('/');
    const life = Number(rest[0]);
    if (place === 'tell') {
      outputs[life]?.write(`${await text(request)}\n`);
      response.writeHead(204).end();
    } else if (place === 'failed') {
      console.error(`the page of a mirror failed: ${await text(request)}`);
      children[life]?.kill('SIGKILL');
      response.writeHead(204).end();
    } else if (place === 'life') {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(pageOf(demands[life], life));
    } else sendCode(response, folders[place], rest.join('/'));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { executablePath, args } = browserProgram();
  const quiet = ['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  return {
    start: (demand) => {
      const life = demands.push(demand) - 1;
      const lines = new PassThrough();
      outputs[life] = lines;
      const child = spawn(
        executablePath,
        [
          ...args,
          ...quiet,
          '--remote-debugging-port=0',
          `--user-data-dir=${profile}`,
          `${origin}/life/${life}`,
        ],
        { stdio: 'ignore', detached: true },
      );
      children[life] = child;
      child.once('exit', () => lines.end());
      return new MirrorLife(child, createInterface({ input: lines })[Symbol.asyncIterator]());
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pageOf(demand: LifeDemand | undefined, life: number): string {
  const call = `liveInPage(${JSON.stringify(demand)}, '/tell/${life}')`;
  const begin = `import('/prove/processes/mirror-page.ts').then(({ liveInPage }) => ${call})`;
  const fail = `(error) => fetch('/failed/${life}', { method: 'POST', body: String(error) })`;
  return `<!doctype html><title>Mirror</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">${begin}.catch(${fail});</script>`;
}

/** As plain ES modules: the sources without their types. */
function sendCode(response: ServerResponse, folder: string | undefined, path: string): void {
  if (folder === undefined) {
    response.writeHead(404).end();
    return;
  }
  const code = stripTypeScriptTypes(readFileSync(join(folder, normalize(path)), 'utf8'));
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(code);
}
