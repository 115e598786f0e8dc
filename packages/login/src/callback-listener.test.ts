import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { CallbackListener } from './callback-listener.ts';
import { listenForCallback, portMax, portMin } from './callback-listener.ts';
import { failedPage, signedInPage } from './callback-page.ts';

const state = 's'.repeat(43);
const path = `/callback?token=${'a'.repeat(64)}&state=${state}`;
let listener: CallbackListener;
beforeEach(async () => {
  listener = await listenForCallback(state);
});
afterEach(() => listener.close());

async function ask(
  address: string,
  { host = '127.0.0.1', method = 'GET', name = `localhost:${listener.port}` } = {},
): Promise<{ readonly status: number; readonly body: string; readonly headers: IncomingMessage['headers'] }> {
  const sent = request({ host, port: listener.port, path: address, method, headers: { host: name } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: await text(response), headers: response.headers };
}

const received = (): { readonly codes: string[]; readonly done: Promise<void> } => {
  const codes: string[] = [];
  const done = listener.receive(10_000, async (code) => {
    codes.push(code);
    return signedInPage;
  });
  return { codes, done };
};

test('listens on a port that the sign-in page accepts', () => {
  expect(listener.port).toBeGreaterThanOrEqual(portMin);
  expect(listener.port).toBeLessThanOrEqual(portMax);
});

test.each(['127.0.0.1', '::1'])('the callback is received on %s', async (host) => {
  const { codes, done } = received();
  const { status, body } = await ask(path, { host });
  await done;
  expect([status, codes]).toEqual([200, ['a'.repeat(64)]]);
  expect(body).toContain('You are signed in');
});

test('serves a page that loads no resources, runs no script and is not cached', async () => {
  const { done } = received();
  const { headers } = await ask(path);
  await done;
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'/,
  );
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
});

test('refuses every request but the expected callback, without a change of state', async () => {
  const { codes, done } = received();
  const refused = [
    await ask(path.replace(state, 'x'.repeat(43))),
    await ask(path.replace(`&state=${state}`, '')),
    await ask(`${path}&state=${state}`),
    await ask(`${path}&token=b`),
    await ask(path.replace('a'.repeat(64), '%3Cscript%3E')),
    await ask(path, { name: `evil.example:${listener.port}` }),
    await ask(path, { name: 'localhost' }),
    await ask(path, { method: 'POST' }),
    await ask('/'),
    await ask('//evil.example/callback'),
    await ask('//'),
    await ask('http://['),
  ];
  expect(refused.map(({ status }) => status)).toEqual([
    400, 400, 400, 400, 400, 421, 421, 405, 404, 404, 404, 404,
  ]);
  expect(codes).toEqual([]);
  expect((await ask(path)).status).toBe(200);
  await done;
  expect(codes).toHaveLength(1);
});

test('continues to wait after bytes that are not an HTTP request', async () => {
  const { done } = received();
  const socket = connect(listener.port, '127.0.0.1');
  socket.end('\u0000\u0001 nonsense\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
  expect((await ask(path)).status).toBe(200);
  await done;
});

test('refuses a second callback', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = listener.receive(10_000, async () => {
    await promise;
    return signedInPage;
  });
  const first = ask(path);
  const second = await Promise.race([ask(path), first]);
  expect(second.status).toBe(409);
  resolve();
  await done;
});

test('escapes the error message on the page', async () => {
  const done = listener.receive(10_000, async () => failedPage('<img src=x onerror=alert(1)> & "more"'));
  const { status, body } = await ask(path);
  await done;
  expect(status).toBe(502);
  expect(body).toContain('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;more&#34;');
  expect(body).not.toContain('<img');
});

test('continues after a browser disconnects before the response', async () => {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const done = listener.receive(10_000, async () => {
    sent.destroy();
    await gone;
    return signedInPage;
  });
  const sent = request({
    host: '127.0.0.1',
    port: listener.port,
    path,
    headers: { host: `localhost:${listener.port}` },
  });
  sent.on('error', () => resolve()).end();
  await done;
  expect(sent.destroyed).toBe(true);
});

test('ends the wait with a message after the timeout', async () => {
  await expect(listener.receive(1, async () => signedInPage)).rejects.toThrow(/the sign-in timed out/);
});

test('skips a port that is in use on either address', async () => {
  for (const address of ['127.0.0.1', '::1']) {
    const squatter = createServer();
    const { port } = listener;
    await listener.close();
    await once(squatter.listen(port, address), 'listening');
    const offers = [port, port === portMax ? port - 1 : port + 1];
    listener = await listenForCallback(state, () => offers.shift() ?? 0);
    expect(listener.port).not.toBe(port);
    await once(squatter.close(), 'close');
  }
});

test('reports that no port is free after a bounded number of attempts', async () => {
  let tries = 0;
  const failing = listenForCallback(state, () => {
    tries += 1;
    return listener.port;
  });
  await expect(failing).rejects.toThrow(/no free port/);
  expect(tries).toBe(20);
});
