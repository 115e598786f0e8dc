import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import { afterEach, expect, test } from 'vitest';

import type { ProcessExit, SupervisedProcess } from './supervised-process.ts';
import { superviseProcess } from './supervised-process.ts';

let supervised: SupervisedProcess | undefined;
afterEach(() => supervised?.stop());

function supervise(script: string, options: { readonly endWithinMs?: number } = {}) {
  const [children, exits]: [ChildProcess[], ProcessExit[]] = [[], []];
  supervised = superviseProcess({
    start: () => {
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
      children.push(child);
      return child;
    },
    onExit: (exit) => exits.push(exit),
    delayMs: 10,
    delayMsMax: 40,
    ...options,
  });
  return { supervised, children, exits };
}

const forever = 'setInterval(() => {}, 1000)';
const isOver = (child: ChildProcess | undefined): boolean =>
  child?.exitCode !== null || child.signalCode !== null;

test('restarts a process that exits, after a delay that doubles up to its limit', async () => {
  const { exits } = supervise('process.exit(3)');
  await expect.poll(() => exits.length, { timeout: 20_000 }).toBeGreaterThan(4);
  expect(exits.slice(0, 4)).toEqual(
    [10, 20, 40, 40].map((restartsInMs) => ({ code: 3, signal: null, restartsInMs })),
  );
});

test('restarts a process that is killed', async () => {
  const { children, exits } = supervise(forever);
  children[0]?.kill('SIGKILL');
  await expect.poll(() => children.length, { timeout: 20_000 }).toBe(2);
  expect(exits).toEqual([{ code: null, signal: 'SIGKILL', restartsInMs: 10 }]);
});

test('does not report a requested restart as an exit, and starts it when the old process has ended', async () => {
  const { supervised: one, children, exits } = supervise(forever);
  one.restart();
  await expect.poll(() => children.length, { timeout: 20_000 }).toBe(2);
  expect(isOver(children[0])).toBe(true);
  expect(exits).toEqual([]);
});

test('does not restart a stopped process, and kills it if it does not exit in time', async () => {
  const deaf = `process.on('SIGTERM', () => {}); process.stdout.write('deaf'); ${forever}`;
  const { supervised: one, children } = supervise(deaf, { endWithinMs: 50 });
  await new Promise((resolve) => children[0]?.stdout?.once('data', resolve));
  await one.stop();
  expect(children.map((child) => child.signalCode)).toEqual(['SIGKILL']);
});
