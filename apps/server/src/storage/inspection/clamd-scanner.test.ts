import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';

import { knownBytes, knownName, startClamd, whyNoClamd } from '@daybook/local-clamd';
import type { ClamdServer } from '@daybook/local-clamd';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import type { Scan } from './clamd-scanner.ts';
import { ScannerUnreachable, createClamdScanner } from './clamd-scanner.ts';

const noSignal = new AbortController().signal;
const chunkBytes = 64 * 1024;
const scanned = (scan: Scan, bytes: Buffer, signal = noSignal) =>
  scan({ size: bytes.length, open: async () => Readable.from(chunksOf(bytes)) }, signal);

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

const missing = whyNoClamd();
if (missing !== null) process.emitWarning(`tests with a real scanner are skipped: ${missing}`);

describe.skipIf(missing !== null)('with a real clamd', () => {
  const streamBytesMax = 4 * 1024 ** 2;
  let clamd: ClamdServer;
  let scan: Scan;
  beforeAll(async () => {
    clamd = await startClamd({ streamBytesMax });
    scan = createClamdScanner(clamd);
  }, 90_000);
  afterAll(() => clamd?.remove());

  test.each([0, 1, chunkBytes, chunkBytes + 1, 3 * 1024 ** 2])('accepts %i clean bytes', async (size) => {
    expect(await scanned(scan, Buffer.alloc(size, 'x'))).toEqual({ state: 'clean' });
  });

  test('finds a known signature under its name, also across chunks and at the end', async () => {
    const before = Buffer.alloc(2 * chunkBytes - 10, 'x');
    for (const bytes of [knownBytes, Buffer.concat([before, knownBytes])])
      expect(await scanned(scan, bytes)).toMatchObject({
        state: 'infected',
        finding: expect.stringContaining(knownName),
      });
  });

  test('does not report oversized content as clean, and reads no more than the limit', async () => {
    let read = 0;
    const endless = Readable.from(
      (function* chunks() {
        for (;;) {
          read += chunkBytes;
          yield Buffer.alloc(chunkBytes, 'x');
        }
      })(),
    );
    const content = { size: 1024 ** 4, open: async () => endless };
    expect(await scan(content, noSignal)).toMatchObject({ state: 'unscannable' });
    expect(read).toBeLessThan(streamBytesMax + 64 * 1024 ** 2);
    expect(endless.destroyed).toBe(true);
  });

  test('does not report content as clean if the bucket fails, and reports the error of the bucket', async () => {
    const broken = async () =>
      Readable.from(
        (async function* chunks() {
          yield Buffer.alloc(10);
          throw new Error('the bucket is away');
        })(),
      );
    await expect(scan({ size: 20, open: broken }, noSignal)).rejects.toThrow('the bucket is away');
    const short = { size: 20, open: async () => Readable.from([Buffer.alloc(10)]) };
    await expect(scan(short, noSignal)).rejects.toThrow('did not scan the whole content');
  });

  test('reports an unreachable scanner separately, and connects again after its restart', async () => {
    await clamd.kill();
    await expect(scanned(scan, knownBytes)).rejects.toBeInstanceOf(ScannerUnreachable);
    await clamd.start();
    expect(await scanned(scan, knownBytes)).toMatchObject({ state: 'infected' });
  });
});

/** A server that accepts connections and behaves arbitrarily. */
async function peer(talk: (socket: Socket) => void): Promise<Scan> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createClamdScanner({ host: '127.0.0.1', port }, { connectMs: 1_000, silenceMs: 500 });
}

describe('reports nothing as clean for a peer', () => {
  const large = Buffer.alloc(32 * 1024 ** 2);

  test('that answers before it has received everything', async () => {
    const scan = await peer((socket) => socket.write('stream: OK\0'));
    await expect(scanned(scan, large)).rejects.toThrow('did not scan the whole content');
  });

  test.each(['', 'stream: OK', 'OK\0', 'stream: OK \0', 'HTTP/1.1 200 OK\0', 'stream: x ERROR\0'])(
    'that sends %j and disconnects',
    async (answer) => {
      const scan = await peer((socket) => {
        socket.resume();
        socket.once('data', () => socket.end(answer));
      });
      await expect(scanned(scan, Buffer.from('x'))).rejects.toThrow(/the scanner/);
    },
  );

  test('that closes before it has received content that never waits and never ends', async () => {
    const closed = Promise.withResolvers<void>();
    const scan = await peer((socket) => {
      socket.once('data', () => {
        socket.on('close', () => closed.resolve());
        socket.end('INSTREAM size limit exceeded. ERROR\0', () => socket.destroy());
      });
    });
    let read = 0;
    const endless = async function* chunks() {
      yield Buffer.alloc(chunkBytes);
      await closed.promise;
      for (; read < 1_000; read += 1) yield Buffer.alloc(chunkBytes);
    };
    const content = { size: 1024 ** 4, open: async () => Readable.from(endless()) };
    expect(await scan(content, noSignal)).toMatchObject({ state: 'unscannable' });
    expect(read).toBeLessThan(1_000);
  });

  test('that never ends its response', async () => {
    const scan = await peer((socket) => {
      socket.resume();
      socket.write('x'.repeat(100_000));
    });
    await expect(scanned(scan, large)).rejects.toThrow('ended without an answer');
  });

  test('that reads nothing, or sends nothing', async () => {
    const deaf = await peer((socket) => socket.pause());
    await expect(scanned(deaf, large)).rejects.toThrow('did not answer in time');
    const mute = await peer((socket) => socket.resume());
    await expect(scanned(mute, Buffer.from('x'))).rejects.toThrow('did not answer in time');
  });

  test('removes control characters from the name of a finding', async () => {
    const scan = await peer((socket) => {
      socket.resume();
      socket.once('data', () => socket.end(`stream: a\r\n\u001b[31m${'b'.repeat(400)} FOUND\0`));
    });
    const result = await scanned(scan, Buffer.from('x'));
    expect(result).toMatchObject({
      state: 'infected',
      finding: expect.stringMatching(/^a___\[31mb{1,200}$/),
    });
  });

  test('rejects when the caller aborts', async () => {
    const scan = await peer((socket) => socket.resume());
    const stop = new AbortController();
    const waiting = scanned(scan, Buffer.from('x'), stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toBeInstanceOf(Error);
  });
});
