import { afterEach, describe, expect, it } from 'vitest';

import type { TestServer } from '../../test/ledger-server.ts';
import { json, serve } from '../../test/ledger-server.ts';
import { createAccountsClient } from '../accounts.ts';
import type { SignedInOptions } from '../storage.ts';
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
    const impatient = createStorageClient({ ...options, timeouts: { responseMs: 20 } });
    expect(await impatient.readUsage({ organization: 'o' })).toMatchObject({ problem: { code: 'timeout' } });
  });

  it('return a problem for a page of an intermediary in place of JSON', async () => {
    server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in to the network');
    });
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' } });
    expect(await client.listProjects()).toMatchObject({ ok: false, problem: { code: 'unreadable_answer' } });
  });

  it('return content as a response to read', async () => {
    server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('bytes');
    });
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' } });
    const answer = await client.readContent({ id: 'f' });
    expect(answer.ok && (await answer.data.text())).toBe('bytes');
  });

  it.each([
    ['empty', 'application/octet-stream', ''],
    ['JSON', 'application/json', '{"a": 1}'],
  ])('return content that is %s as it is', async (_of, type, content) => {
    server = await serve((_request, response) => {
      response
        .writeHead(200, { 'content-type': type, 'content-length': String(content.length) })
        .end(content);
    });
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' } });
    const answer = await client.readContent({ id: 'f' });
    expect(answer.ok && (await answer.data.text())).toBe(content);
  });
});

describe('calls to a server that stops', () => {
  const credential = { apiKey: 'k' };
  const timeouts = { connectMs: 100, responseMs: 100, uploadBytesPerSecond: 1_000_000 };
  const content = { 'content-type': 'application/octet-stream', 'content-length': '100' };
  const file = { project: 'p', name: 'f' };
  const clientOf = async (handler: Parameters<typeof serve>[0], given: Partial<SignedInOptions> = {}) => {
    server = await serve(handler);
    return createStorageClient({ baseUrl: server.baseUrl, credential, timeouts, world, ...given });
  };

  it('end a download that does not continue, and no download that does', async () => {
    let rest = ['a', 'b', 'c', 'd'];
    const client = await clientOf((request, response) => {
      response.writeHead(200, { ...content, 'content-length': '4' });
      const send = (): void => {
        const [next = '', ...more] = rest;
        rest = more;
        response.write(next);
        if (more.length > 0 && request.url?.includes('whole') === true) setTimeout(send, 60);
      };
      send();
    });
    const whole = await client.readContent({ id: 'whole' });
    expect(whole.ok && (await whole.data.text())).toBe('abcd');
    const part = await client.readContent({ id: 'part' });
    await expect(part.ok && part.data.text()).rejects.toThrow('the content did not continue within 100 ms');
  });

  it('end a download by its signal', async () => {
    const client = await clientOf((_request, response) => response.writeHead(200, content).write('a'), {
      timeouts: {},
    });
    const stop = new AbortController();
    const answer = await client.readContent({ id: 'f' }, { signal: stop.signal });
    const text = answer.ok ? answer.data.text() : Promise.resolve('');
    stop.abort(new Error('no longer wanted'));
    await expect(text).rejects.toThrow('no longer wanted');
  });

  it.each<[string, () => NonNullable<RequestInit['body']>]>([
    ['a file', () => new Blob(['x'.repeat(50_000)])],
    ['a stream', () => new Blob(['x'.repeat(50_000)]).stream()],
  ])('end an upload of %s', async (_of, body) => {
    const client = await clientOf(() => undefined);
    expect(await client.storeFile({ ...file, body: body() })).toMatchObject({ problem: { code: 'timeout' } });
  });

  it('give an upload the time that its size takes', async () => {
    const client = await clientOf((request, response) => {
      request.resume();
      setTimeout(() => json(response, { id: 'f1' }, {}, 201), 250);
    });
    const body = new Blob(['x'.repeat(1_000_000)]);
    expect(await client.storeFile({ ...file, body })).toMatchObject({ ok: true, data: { id: 'f1' } });
  });

  it('end a refusal of an upload that does not end', async () => {
    const client = await clientOf((request, response) => {
      request.resume();
      response.writeHead(413, { 'content-type': 'application/problem+json' }).write('{');
    });
    expect(await client.storeFile({ ...file, body: new Blob(['x']) })).toMatchObject({
      problem: { code: 'timeout' },
    });
  });

  it('end while they wait for a credential, which fails with its own reason', async () => {
    const never = await clientOf(() => undefined, { credential: { token: () => new Promise(() => {}) } });
    expect(await never.listProjects()).toMatchObject({ problem: { code: 'timeout' } });
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    await expect(never.listProjects({}, { signal })).rejects.toThrow('no longer wanted');
    await server.close();
    const token = (): Promise<string> => Promise.reject(new Error('signed out'));
    const without = await clientOf(() => undefined, { credential: { token } });
    await expect(without.listProjects()).rejects.toThrow('signed out');
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

  it('fail where an intermediary answers in place of the server', async () => {
    server = await serve((request, response) => {
      const created = { location: '/api/v1/tus/u1' };
      response.writeHead(200, request.method === 'POST' ? created : {}).end();
    });
    const client = createStorageClient({ baseUrl: server.baseUrl, credential: { apiKey: 'k' } });
    const upload = uploadFile(client, new Blob(['x']), { projectId: 'p', name: 'n' });
    await expect(upload).rejects.toThrow('unreadable_answer');
  });

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
