import { connect } from 'node:net';

import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';

export interface RequestAttack {
  readonly name: string;
  /** Answers the status. */
  readonly send: (port: number) => Promise<number>;
}

const path = '/api/auth/token';

/** These bytes as a body, without validation. */
function post(name: string, body: string, contentType = 'application/json'): RequestAttack {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${contentType}\r\n`;
  return {
    name,
    send: (port) => raw(port, `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  };
}

async function raw(port: number, bytes: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  // The server may close a refused connection; its earlier response counts.
  socket.on('error', () => {}).on('close', () => resolve(received));
  socket.write(bytes);
  return Number((await promise).split(' ')[1] ?? 0);
}

export function bodyAttacks({ email, password }: StageAccount): readonly RequestAttack[] {
  const good = JSON.stringify({ email, password });
  return [
    post('100 KB', JSON.stringify({ email, password, more: 'x'.repeat(100_000) })),
    post('a password of 20 KB', JSON.stringify({ email, password: 'x'.repeat(20_000) })),
    post('nothing', ''),
    post('half an object', good.slice(0, -1)),
    post('two objects', good + good),
    post('a list', `[${good}]`),
    post('a string', JSON.stringify(good)),
    post('null', 'null'),
    post('a list as password', JSON.stringify({ email, password: [password] })),
    post('an object as e-mail', JSON.stringify({ email: { $ne: null }, password })),
    post('true as password', JSON.stringify({ email, password: true })),
    post('deep nesting', `{"email":${'['.repeat(5_000)}${']'.repeat(5_000)},"password":"x"}`),
    post('a prototype', `{"__proto__":{"email":"${email}","password":"${password}"}}`),
    post('a constructor', `{"constructor":{"prototype":{"email":"${email}"}},"password":"x"}`),
    post('text', good, 'text/plain'),
    post(
      'a form',
      `email=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}`,
      'application/x-www-form-urlencoded',
    ),
    post('multipart', good, 'multipart/form-data; boundary=x'),
    post('XML', '<email/>', 'application/xml'),
    post('no such type', good, 'application/jsonx'),
    post('NUL in the password', JSON.stringify({ email, password: `${password}\0` })),
    post('half a surrogate pair', `{"email":"${email}","password":"\\ud800"}`),
  ];
}

export function emailAttacks({ email, password }: StageAccount): readonly RequestAttack[] {
  const [local = '', domain = ''] = email.split('@');
  const hostile = [
    `${email}\0`,
    `${local}\0@${domain}`,
    `\0${email}`,
    `${email}\r\nBcc: eve@example.org`,
    `${email}\n`,
    ` ${email}`,
    `${email} `,
    `${email},eve@example.org`,
    `${email};eve@example.org`,
    `<${email}>`,
    `"${local}"@${domain}`,
    `${local}(x)@${domain}`,
    `${local}@${domain}.`,
    `${local}＠${domain}`,
    `${local.replace('e', 'е')}@${domain}`,
    `${local.replace('m', 'ｍ')}@${domain}`,
    `${local}\u200B@${domain}`,
    `\u202E${email}`,
    `${local}@${domain}\uFEFF`,
    `${local}%00@${domain}`,
    `${email}' OR '1'='1`,
    `${'a'.repeat(300)}@${domain}`,
  ];
  return hostile.map((address) => ({
    name: `e-mail ${JSON.stringify(address).slice(0, 60)}`,
    send: async (port) => (await send(port, path, { json: { email: address, password } })).status,
  }));
}

export function headerAttacks({ email, password }: StageAccount): readonly RequestAttack[] {
  const body = JSON.stringify({ email, password: `${password} wrong` });
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const request = (name: string, head: string): RequestAttack => ({
    name,
    send: (port) =>
      raw(
        port,
        `POST ${path} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n${head}\r\n${body}`,
      ),
  });
  return [
    request('no host', length),
    request('two lengths', `Host: x\r\n${length}Content-Length: 1\r\n`),
    request('length and chunks', `Host: x\r\n${length}Transfer-Encoding: chunked\r\n`),
    request('a folded header', `Host: x\r\n${length}User-Agent: a\r\n b\r\n`),
    request('a NUL in a header', `Host: x\r\n${length}User-Agent: a\0b\r\n`),
    request('a bare line feed', `Host: x\r\n${length}User-Agent: a\nX-Api-Key: b\r\n`),
    request('headers of 20 KB', `Host: x\r\n${length}User-Agent: ${'x'.repeat(20_000)}\r\n`),
    request('a blank in a name', `Host: x\r\n${length}X Api Key: y\r\n`),
    {
      name: 'a line break in the path',
      send: (port) =>
        raw(port, `GET /api/v1/me%0d%0aX-Injected:%20yes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    },
    {
      name: 'a line break in a key id',
      send: async (port) =>
        raw(
          port,
          `DELETE /api/v1/api-keys/x%0d%0aSet-Cookie:%20a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        ),
    },
  ];
}
