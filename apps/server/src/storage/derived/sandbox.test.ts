import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { noSandbox } from '../../../test/no-sandbox.ts';
import type { SandboxOutcome } from './sandbox.ts';
import { runSandboxed } from './sandbox.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-sandbox-'));
});
afterAll(() => rm(folder, { recursive: true }));

const limits = { memoryBytes: 800 * 1024 ** 2, seconds: 5, outputBytes: 10_000 };
const never = new AbortController().signal;
let made = 0;
async function run(script: string, input = '', more: object = {}): Promise<SandboxOutcome> {
  const file = join(folder, `${(made += 1)}.mjs`);
  await writeFile(file, script);
  await writeFile(`${file}.input`, input);
  const content = await open(`${file}.input`);
  const args = ['--max-old-space-size=64', file];
  const program = { file: process.execPath, args, readable: [dirname(process.execPath), file] };
  try {
    return await runSandboxed(program, content, { ...limits, ...more }, never);
  } finally {
    await content.close();
  }
}
const outputOf = (outcome: SandboxOutcome): string =>
  outcome.ended === 'failed' ? outcome.reason : `${outcome.ended}: ${outcome.output.toString()}`;

describe.skipIf(noSandbox !== null)('a sandboxed program', () => {
  test('reads its input and writes its output, and sees no other file, process, variable or host', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    const { port } = await new Promise<{ port: number }>((resolve) =>
      server.once('listening', () => resolve(server.address() as { port: number })),
    );
    const seen = await run(
      `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
     import { connect } from 'node:net';
     const attempt = (work) => { try { return work(); } catch (error) { return error.code; } };
     const socket = connect(${port}, '127.0.0.1');
     const net = await new Promise((done) => { socket.on('connect', () => done('open')); socket.on('error', (e) => done(e.code)); });
     console.log(JSON.stringify({
       input: readFileSync(0, 'utf8'),
       passwd: attempt(() => readFileSync('/etc/passwd')),
       own: attempt(() => readFileSync(${JSON.stringify(import.meta.filename)})),
       temporary: attempt(() => writeFileSync('/tmp/x', 'x')),
       shared: attempt(() => writeFileSync('/dev/shm/x', 'x')),
       processes: attempt(() => readdirSync('/proc').length),
       variables: Object.keys(process.env).sort(),
       net,
     }));`,
      'the content',
    );
    server.close();
    expect(JSON.parse(outputOf(seen).replace('done: ', ''))).toEqual({
      input: 'the content',
      passwd: 'ENOENT',
      own: 'ENOENT',
      temporary: expect.stringMatching(/ENOENT|EROFS/),
      shared: expect.stringMatching(/ENOENT|EROFS|EACCES/),
      processes: 'ENOENT',
      variables: ['LANG', 'PATH', 'PWD'],
      net: 'ECONNREFUSED',
    });
  });

  test('ends when it takes more memory, time or output than allowed', async () => {
    const hoarder = 'const all = []; for (;;) all.push(Buffer.alloc(1024 * 1024, 1));';
    expect((await run(hoarder)).ended).toBe('failed');
    expect(outputOf(await run('for (;;);', '', { seconds: 1 }))).toMatch(/^(out of time|exit )/);
    expect(outputOf(await run('setInterval(() => {}, 1000);', '', { seconds: 1 }))).toBe('out of time');
    const talker = await run("for (;;) process.stdout.write('x'.repeat(1000));");
    expect(outputOf(talker)).toBe(`at the output limit: ${'x'.repeat(10_000)}`);
  });
});
