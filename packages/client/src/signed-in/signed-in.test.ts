import { afterEach, describe, expect, it } from 'vitest';

import type { TestServer } from '../../test/ledger-server.ts';
import { json, serve } from '../../test/ledger-server.ts';
import { createAccountsClient } from '../accounts.ts';
import { createStorageClient, RequestRefused, uploadFile } from '../storage.ts';

let server: TestServer;
afterEach(() => server.close());

const world = { wait: () => Promise.resolve(), random: () => 0 };

describe('calls', () => {
  it('send the credential, the parameters and the body, and return the data', async () => {
    const seen: unknown[] = [];
    server = await serve((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        const { authorization } = request.headers;
        seen.push([request.method, request.url, authorization, body]);
        json(response, { id: 'f1', name: 'new' }, {}, 201);
      });
    });
    let asked = 0;
    const token = (): Promise<string> => Promise.resolve(`t${(asked += 1)}`);
    const client = createStorageClient({ baseUrl: `${server.baseUrl}/`, credential: { token } });
    const answer = await client.createFolder({ project: 'a/b', body: { name: 'new' } });
    expect(answer).toMatchObject({ ok: true, status: 201, data: { id: 'f1' } });
    await client.listChildren({ project: 'p', sort: 'name' });
    expect(seen).toEqual([
      ['POST', '/api/v1/projects/a%2Fb/folders', 'Bearer t1', '{"name":"new"}'],
      ['GET', '/api/v1/projects/p/children?sort=name', 'Bearer t2', ''],
    ]);
  });

  it('return the problem of the server', async () => {
    server = await serve((_request, response) =>
      json(response, { code: 'unauthenticated', detail: 'Not authenticated.', status: 401 }, {}, 401),
    );
    const client = createAccountsClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' } });
    expect(await client.getMe()).toMatchObject({
      ok: false,
      status: 401,
      problem: { code: 'unauthenticated' },
    });
  });

  it('are repeated after 429 with Retry-After, and end at a timeout', async () => {
    let requests = 0;
    server = await serve((request, response) => {
      requests += 1;
      if (request.url?.startsWith('/api/v1/usage') === true) return;
      if (requests === 1)
        json(response, { code: 'rate_limited', detail: 'Wait.' }, { 'retry-after': '1' }, 429);
      else json(response, { id: 'me' });
    });
    const options = { baseUrl: server.baseUrl, credential: { anonymous: true }, world } as const;
    expect(await createAccountsClient(options).getMe()).toMatchObject({ ok: true, data: { id: 'me' } });
    const impatient = createStorageClient({ ...options, timeouts: { connectMs: 20 } });
    expect(await impatient.readUsage({ organization: 'o' })).toMatchObject({ problem: { code: 'timeout' } });
  });

  it('return content as a response to read', async () => {
    server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('bytes');
    });
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' } });
    const answer = await client.readContent({ id: 'f' });
    expect(answer.ok && (await answer.data.text())).toBe('bytes');
  });
});

describe('lists', () => {
  it('are read record by record over all pages, and end with a refusal', async () => {
    server = await serve((request, response) => {
      const cursor = new URL(request.url ?? '', 'http://x').searchParams.get('cursor');
      if (cursor === 'broken') {
        json(response, { code: 'invalid_cursor', detail: 'Invalid cursor.' }, {}, 400);
        return;
      }
      const hasMore = cursor === null;
      json(response, { data: [{ id: cursor ?? 'first' }], pagination: { hasMore, nextCursor: 'second' } });
    });
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' } });
    const ids: string[] = [];
    for await (const { id } of client.each('listProjects')) ids.push(id);
    expect(ids).toEqual(['first', 'second']);
    await expect(client.each('listProjects', { cursor: 'broken' }).next()).rejects.toThrow(RequestRefused);
  });
});

describe('uploads', () => {
  /** A server of tus that breaks the connection after some bytes of a part, once. */
  async function tusServer(breakAfter: number): Promise<{ readonly received: () => string }> {
    let received = '';
    let isBroken = false;
    server = await serve((request, response) => {
      const headers = { 'tus-resumable': '1.0.0', 'upload-offset': String(received.length) };
      if (request.method === 'POST') {
        response.writeHead(201, { ...headers, location: '/api/v1/tus/u1' }).end();
        return;
      }
      if (request.method === 'HEAD') {
        response.writeHead(200, headers).end();
        return;
      }
      request.on('data', (part) => {
        received += String(part);
        if (isBroken || received.length < breakAfter) return;
        isBroken = true;
        received = received.slice(0, breakAfter);
        request.socket.destroy();
      });
      request.on('end', () => {
        response.writeHead(204, { 'upload-offset': String(received.length) }).end();
      });
    });
    return { received: () => received };
  }

  it('continue after a lost connection, with their progress', async () => {
    const { received } = await tusServer(5);
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' }, world });
    const progress: number[] = [];
    const upload = await uploadFile(client, new Blob(['0123456789']), {
      projectId: 'p',
      name: 'ünï.txt',
      partBytes: 4,
      onProgress: ({ sentBytes }) => progress.push(sentBytes),
    });
    expect([upload, received(), progress]).toEqual(['/api/v1/tus/u1', '0123456789', [0, 4, 5, 9, 10]]);
  });

  it('resume in another process where they stopped', async () => {
    const { received } = await tusServer(Number.POSITIVE_INFINITY);
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' }, world });
    const first = { projectId: 'p', name: 'a', partBytes: 4 };
    const stop = new AbortController();
    const onProgress = ({ sentBytes }: { readonly sentBytes: number }): void => {
      if (sentBytes === 4) stop.abort(new Error('stopped'));
    };
    const content = new Blob(['0123456789']);
    await expect(uploadFile(client, content, { ...first, signal: stop.signal, onProgress })).rejects.toThrow(
      'stopped',
    );
    await uploadFile(client, content, { ...first, resume: '/api/v1/tus/u1' });
    expect(received()).toBe('0123456789');
  });
});
