import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { daybook } from '../http/daybook-child.ts';

/** Long enough for the command to start on a busy machine. */
const givenUpAfterMs = 60_000;

type Logins = { readonly application: string; readonly newsReader: string };

/** Withdraws as an editor does; returns the output of the command. */
export function withdrawByCommand(
  root: string,
  urls: Logins,
  itemId: string,
  reason: string,
): Promise<string> {
  return runNewsroomCommand(root, urls, ['withdraw', itemId, '--reason', reason]);
}

export async function runNewsroomCommand(
  root: string,
  urls: Logins,
  words: readonly string[],
): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
  };
  const command = [daybook, 'newsroom', ...words];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env });
  return stdout;
}

/** When the look began that found it right. */
export async function untilRight(
  isRight: () => Promise<boolean>,
  { withinMs = givenUpAfterMs, everyMs = 50 } = {},
): Promise<number> {
  const givenUpMs = systemClock.nowMs() + withinMs;
  for (;;) {
    const lookedMs = systemClock.nowMs();
    if ((await isRight()) || lookedMs > givenUpMs) return lookedMs;
    await delay(everyMs);
  }
}

/** The start of the last request that did not find it: it appeared later than that. */
export async function lastCheckBefore(isThere: () => Promise<boolean>): Promise<number> {
  for (let beforeMs = systemClock.nowMs(); ;) {
    const lookedMs = systemClock.nowMs();
    if (await isThere()) return beforeMs;
    beforeMs = lookedMs;
    await delay(10);
  }
}
