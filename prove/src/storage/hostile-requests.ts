import { connect } from 'node:net';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';

/** The attempts, and those that succeeded. */
export interface Tried {
  readonly tried: number;
  readonly through: readonly string[];
}

const rangeLists = (size: number): readonly string[] => [
  Array.from({ length: 1_000 }, (_, index) => `${index * 2}-${index * 2}`).join(),
  Array.from({ length: 1_000 }, () => '0-').join(),
  Array.from({ length: 1_000 }, (_, index) => `-${index + 1}`).join(),
  Array.from({ length: 1_000 }, () => `0-${size}`).join(),
  '-0',
  '9'.repeat(15) + '-',
  '9'.repeat(1_000) + '-',
  '5-1',
  '1-1,',
  'a-b',
  '',
];

/** For any requested ranges, a response never exceeds the content and never has many small parts. */
export async function tryRanges(
  { processes, headers }: StorageStage,
  fileId: string,
  size: number,
): Promise<Tried> {
  const { port = 0 } = processes[0] ?? {};
  const path = `/api/v1/files/${fileId}/content`;
  const through: string[] = [];
  const lists = rangeLists(size);
  await Promise.all(
    lists.map(async (list) => {
      const range = `bytes=${list}`;
      const answer = await sendBytes(
        port,
        { method: 'GET', path, headers: { ...headers, range } },
        Buffer.alloc(0),
      );
      const isWhole = answer?.status === 200 && answer.body.length === size;
      const isPart = answer?.status === 206 && answer.body.length <= size;
      if (!isWhole && !isPart && answer?.status !== 416)
        through.push(`${range.slice(0, 40)}: ${answer?.status}`);
    }),
  );
  return { tried: lists.length, through };
}

/** Sizes that are not what is sent, or are no sizes: refused, and nothing is stored under the name. */
export async function trySizes(stage: StorageStage, projectId: string): Promise<Tried> {
  const { port = 0 } = stage.processes[0] ?? {};
  const through: string[] = [];
  let tried = 0;
  const expectStatus = (what: string, status: number | undefined, allowed: readonly number[]): void => {
    tried += 1;
    if (status === undefined || !allowed.includes(status)) through.push(`${what}: ${status}`);
  };
  for (const size of [-1, 1.5, 1e30, '5', null, 6 * 1024 ** 3]) {
    const answer = await stage.ask('POST', '/api/v1/uploads', { projectId, name: 'lie', size });
    expectStatus(`a reservation of ${size}`, answer.status, [400]);
  }
  for (const bytes of [0, 9, 11, 100_000]) {
    const reserved = await stage.ask('POST', '/api/v1/uploads', {
      projectId,
      name: `lie ${bytes}`,
      size: 10,
    });
    const { id } = reserved.json<{ id: string }>();
    const question = { method: 'PUT', path: `/api/v1/uploads/${id}/content`, headers: stage.headers };
    const answer = await sendBytes(port, question, Buffer.alloc(bytes));
    expectStatus(`${bytes} bytes instead of 10`, answer?.status, [400, 413]);
    await stage.ask('DELETE', `/api/v1/uploads/${id}`);
  }
  const wrong = `/api/v1/projects/${projectId}/files?name=wrong&sha256=${'0'.repeat(64)}`;
  const hashed = await sendBytes(
    port,
    { method: 'POST', path: wrong, headers: stage.headers },
    Buffer.from('x'),
  );
  expectStatus('another SHA-256', hashed?.status, [400]);
  const heads: Readonly<Record<string, readonly number[]>> = {
    'Content-Length: -1': [400],
    'Content-Length: 0x10': [400],
    'Content-Length: 5, 6': [400],
    'Content-Length: 5\r\nContent-Length: 6': [400],
    'Content-Length: 5\r\nTransfer-Encoding: chunked': [400],
    'Content-Length: 99999999999999': [400, 409, 413],
    'Transfer-Encoding: chunked': [400],
  };
  for (const [head, allowed] of Object.entries(heads)) {
    const path = `/api/v1/projects/${projectId}/files?name=lie`;
    expectStatus(head, await statusOfHead(port, path, `${head}\r\n${authorizationOf(stage)}`), allowed);
  }
  const left = await stage.ask('GET', `/api/v1/projects/${projectId}/search?name=lie`);
  expectStatus('files stored', left.json<{ data: unknown[] }>().data.length, [0]);
  return { tried, through };
}

function authorizationOf({ headers }: StorageStage): string {
  return `Authorization: ${headers['authorization']}\r\n`;
}

/** Of a raw request with a body of five bytes. */
async function statusOfHead(port: number, path: string, head: string): Promise<number | undefined> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(undefined));
  socket.on('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1])));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: prove\r\nConnection: close\r\n${head}\r\n12345`);
  const status = await promise;
  socket.destroy();
  return status;
}

export interface TricklingUpload {
  /** The response, if any. */
  readonly status: () => number | null;
  readonly leave: () => void;
}

/** Announces a megabyte and sends a byte a second. */
export function startTrickle(stage: StorageStage, projectId: string, name: string): TricklingUpload {
  const { port = 0 } = stage.processes[0] ?? {};
  const socket = connect(port, '127.0.0.1');
  let status: number | null = null;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    status ??= Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]);
  });
  const path = `/api/v1/projects/${projectId}/files?name=${encodeURIComponent(name)}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: prove\r\nContent-Length: 1000000\r\n${authorizationOf(stage)}\r\n`,
  );
  const timer = setInterval(() => socket.writable && socket.write('x'), 1_000);
  socket.on('close', () => clearInterval(timer));
  return { status: () => status, leave: () => socket.destroy() };
}
