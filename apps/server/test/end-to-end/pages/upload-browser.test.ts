import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { launchBrowser, noBrowser, signInOnPage } from '../../browser.ts';
import type { TestStorage } from '../../storage.ts';
import { startTestStorage } from '../../storage.ts';

const size = 50_000_000;

/** A connection to the server that can be cut after this many bytes, and restored. */
async function startLine(port: number) {
  const open = new Set<Socket>();
  let cutAfter = Infinity;
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const onward = connect(port, '127.0.0.1');
    let passed = 0;
    for (const one of [socket, onward]) {
      open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          open.delete(one);
          socket.destroy();
          onward.destroy();
        });
    }
    socket.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (passed > cutAfter) cut();
    });
    socket.pipe(onward).pipe(socket);
  });
  const cut = (): void => {
    isCut = true;
    for (const one of open) one.destroy();
  };
  await once(server.listen(0, 'localhost'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutAfter: (bytes: number) => {
      cutAfter = bytes;
    },
    mend: () => {
      isCut = false;
      cutAfter = Infinity;
    },
    stop: () => {
      cut();
      server.close();
    },
  };
}

describe.skipIf(noBrowser !== null)('uploading in a real browser', () => {
  let stage: TestStorage;
  let browser: Browser;
  let line: Awaited<ReturnType<typeof startLine>>;
  beforeAll(async () => {
    stage = await startTestStorage({ pages: true, authUrl: 'http://localhost' });
    await stage.giveRoom(10 * size);
    line = await startLine(stage.app.port);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    line.stop();
    await stage.stop();
  });

  /** Drags a file onto the page; the same each time. Returns its hash. */
  const drop = (page: Page, name: string): Promise<string> =>
    page.evaluate<string>(`(async () => {
      const words = new Uint32Array(${size / 4});
      for (let index = 0, word = 1; index < words.length; index += 1) {
        word = Math.imul(word, 1_664_525) + 1_013_904_223;
        words[index] = word;
      }
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([words], '${name}', { lastModified: 1_000 }));
      dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      return new Uint8Array(await crypto.subtle.digest('SHA-256', words)).toHex();
    })()`);

  test('a dragged file of 50 MB resumes after a lost connection and a reload of the page', async () => {
    const origin = `http://localhost:${line.port}`;
    const { id } = await stage.newProject('Field notes');
    const url = `${origin}/platform/${stage.acme.key}/projects/${id}`;
    const context = await browser.newContext();
    stage.clock.advance({ minutes: 1 });
    await signInOnPage(context, origin, stage.acme.owner);
    const page = await context.newPage();
    const offsets: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
    });
    await page.goto(url);
    line.cutAfter(size / 2);
    const sha256 = await drop(page, 'observations.bin');
    await page.getByText('Connection lost. Retrying.').waitFor();
    // The page is left while offline, and with it its file.
    await page.goto('about:blank');
    line.mend();
    await page.goto(url);
    await page
      .getByText(/^observations\.bin: [1-9]\d? % uploaded\. Choose the file again to resume\.$/)
      .waitFor();
    await drop(page, 'observations.bin');
    await page.getByRole('link', { name: 'observations.bin' }).waitFor();
    expect(offsets[0]).toBe(0);
    expect(offsets.at(-1)).toBeGreaterThan(size / 4);
    const children = await stage.send('GET', `/api/v1/projects/${id}/children`, stage.owner);
    const [file] = children.json()['data'] as { id: string; size: number; version: number }[];
    expect(file).toMatchObject({ size, version: 1 });
    const { body } = await stage.contentOf(file?.id);
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    // No unfinished upload is left.
    await expect.poll(() => page.evaluate<string[]>('Object.keys(localStorage)')).toEqual([]);
    await context.close();
  }, 120_000);
});
