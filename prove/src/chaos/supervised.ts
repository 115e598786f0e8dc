import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { DaybookChild } from '../http/daybook-child.ts';
import { daybook, startDaybook } from '../http/daybook-child.ts';
import { requestOnce } from '../news/http-question.ts';
import { clockHookPort } from './hook-variables.ts';

/** A process that is started again half a second after it ended, as systemd does. */
export interface Supervised {
  readonly name: string;
  readonly command: 'api' | 'worker';
  /** False while it does not run. */
  readonly signal: (signal: NodeJS.Signals) => boolean;
  /** Moves its clock ahead of the real one, or behind it; 0 sets it right. */
  readonly moveClock: (aheadMs: number) => Promise<void>;
  /** How often it ended by itself. */
  readonly endings: () => number;
  readonly stop: () => Promise<void>;
}

const hook = fileURLToPath(new URL('../processes/chaos-hook.ts', import.meta.url));
const restartAfterMs = 500;

export async function startSupervised(
  root: string,
  {
    name,
    command,
    port,
    hookPort,
  }: Readonly<{
    name: string;
    command: 'api' | 'worker';
    port: number;
    hookPort: number;
  }>,
  settings: Readonly<Record<string, string>>,
): Promise<Supervised> {
  const environment = { ...settings, [clockHookPort]: String(hookPort) };
  const words = [process.execPath, '--import', hook, daybook, command] as const;
  const start = (): Promise<DaybookChild> => startDaybook(root, command, port, environment, [...words]);
  let child: DaybookChild | null = await start();
  const stopping = new AbortController();
  let [endings, signalled] = [0, false];
  const supervise = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (child !== null && child.process.exitCode === null && child.process.signalCode === null)
        await once(child.process, 'exit');
      if (!signalled && !stopping.signal.aborted) endings += 1;
      [child, signalled] = [null, false];
      if (stopping.signal.aborted) return;
      await delay(restartAfterMs);
      child = await start().catch(() => null);
    }
  };
  const supervising = supervise();
  return {
    name,
    command,
    endings: () => endings,
    signal: (signal) => {
      if (child === null) return false;
      signalled ||= signal === 'SIGKILL';
      return child.process.kill(signal);
    },
    // A process that has ended starts with the right clock.
    moveClock: async (aheadMs) => void (await requestOnce(hookPort, `/${aheadMs}`).catch(() => null)),
    stop: async () => {
      stopping.abort();
      await child?.stop();
      await supervising;
    },
  };
}
