import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { TestDatabase } from '../database.ts';
import { createTestDatabase } from '../database.ts';
import { ask } from '../http-client.ts';
import { startTraceReceiver } from '../trace-receiver.ts';
import type { ImageStage } from './dockerfile-check.ts';
import { environmentOf, readStages, valueOf } from './dockerfile-check.ts';

// The image's tree, assembled as in the Dockerfile, and started: it must contain all run-time files.
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const runFile = promisify(execFile);
let image: ImageStage;
let tree: string;
let database: TestDatabase | undefined;
let child: ChildProcess | undefined;

beforeAll(async () => {
  const stages = readStages(await readFile(`${root}deploy/Dockerfile`, 'utf8'));
  image = stages.at(-1) as ImageStage;
  tree = await mkdtemp(join(tmpdir(), 'daybook-image-'));
  for (const { sources, target } of stages.flatMap((stage) => stage.copies)) {
    for (const source of sources) {
      const to = target.endsWith('/')
        ? join(tree, target, source.split('/').at(-1) ?? '')
        : join(tree, target);
      await cp(join(root, source), to, { recursive: true });
    }
  }
  await linkDependencies(['--workspace=@daybook/server', '--workspace=@daybook/bundle']);
  await runFile(process.execPath, ['packages/bundle/src/bin/bundle-image.ts'], { cwd: tree });
  for (const path of ['node_modules', 'packages/bundle']) await rm(join(tree, path), { recursive: true });
  await linkDependencies(['--workspace=@daybook/server']);
  database = await createTestDatabase();
}, 120_000);
afterAll(async () => {
  child?.kill('SIGKILL');
  await database?.drop();
  await rm(tree, { recursive: true });
});

/** The packages npm would install for these workspaces, without development dependencies. */
async function linkDependencies(workspaces: readonly string[]): Promise<void> {
  const list = ['ls', ...workspaces, '--omit=dev', '--all', '--parseable'];
  const { stdout } = await runFile('npm', list, { cwd: root, maxBuffer: 1 << 24 });
  const modules = stdout
    .split('\n')
    .map((path) => relative(root, path))
    .filter((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path));
  expect(modules.length).toBeGreaterThan(50);
  for (const path of modules) {
    // Workspace packages are links into the tree, and must be in it.
    const own = relative(root, await realpath(join(root, path)));
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await symlink(join(own.startsWith('node_modules') ? root : tree, own), join(tree, path));
  }
}

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await once(probe.close(), 'close');
  return String(port);
}

test('the image starts, reports healthy and serves its pages', { timeout: 120_000 }, async () => {
  const port = await freePort();
  const receiver = await startTraceReceiver();
  const [, script = ''] = JSON.parse(valueOf(image, 'ENTRYPOINT')) as string[];
  const [command = ''] = JSON.parse(valueOf(image, 'CMD')) as string[];
  child = spawn(process.execPath, [script, command], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...Object.fromEntries(environmentOf(image)),
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: port,
      DATABASE_URL: database?.urls.application,
      DATABASE_READER_URL: database?.urls.newsReader,
      DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
      DAYBOOK_DRAIN_NOTICE_MS: '0',
      // Whose packages only a process that sends traces loads.
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      // On a busy machine, a late event loop is not the image's fault.
      DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
    },
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const health = /CMD (\[.*\])$/.exec(valueOf(image, 'HEALTHCHECK'))?.[1] ?? '[]';
  const [, ...check] = JSON.parse(health.replace(environmentOf(image).get('PORT') ?? '', port)) as string[];
  const ended = once(child, 'exit');
  const healthy = vi.waitFor(() => runFile(process.execPath, check), { timeout: 100_000, interval: 250 });
  expect(await Promise.race([healthy.then(() => 'healthy'), ended.then(() => complaints)])).toBe('healthy');
  for (const path of [
    '/',
    '/docs',
    '/docs/guides/news-api',
    '/llms.txt',
    '/openapi-v1.json',
    '/auth/signin',
    '/api/v1/items',
  ])
    expect([path, (await ask(Number(port), path)).status]).toEqual([path, 200]);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(receiver.spans().map(({ name }) => name)).toContain('GET /api/v1/items');
  await receiver.close();
  // Compiled before the first start.
  const [compiled = ''] = await readdir(join(tree, 'apps/server/node_modules/.cache/compiled'));
  expect(compiled).toMatch(/^v26\./);
});
