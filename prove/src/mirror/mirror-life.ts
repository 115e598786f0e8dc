import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { CopyReport, LifeDemand, LifeLine } from './follow-and-report.ts';

export interface ProcessDemand extends LifeDemand {
  readonly store: 'json-lines' | 'memory' | 'sqlite';
  readonly path: string;
}

const program = fileURLToPath(new URL('../processes/client-mirror.ts', import.meta.url));

/** One life of a mirror: its output until it is killed. */
export class MirrorLife {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #isOver = false;
  readonly #lines: AsyncIterator<string>;
  restarts = 0;
  full = 0;
  readings = 0;
  torn = 0;

  /** Of a process that leads a group of its own. */
  constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.#child = child;
    this.#lines = lines;
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => {
        this.#isOver = true;
        resolve();
      });
    });
  }

  /** Waits for this output; false if it ended first. */
  async says(isWanted: (line: LifeLine) => boolean): Promise<boolean> {
    for (;;) {
      const line = await this.#next();
      if (line === null) return false;
      if (isWanted(line)) return true;
    }
  }

  /** Waits for what it found in its copy; null where it ended first. */
  async report(): Promise<CopyReport | null> {
    let found: CopyReport | null = null;
    await this.says(({ copy }) => {
      found = copy ?? null;
      return copy !== undefined;
    });
    return found;
  }

  async kill(): Promise<void> {
    if (!this.#isOver && this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    await this.#ended;
  }

  async #next(): Promise<LifeLine | null> {
    const { done, value } = await this.#lines.next();
    if (done === true) return null;
    const line = JSON.parse(value) as LifeLine;
    if (line.kind === 'restart') this.restarts += 1;
    if (line.kind === 'full') this.full += 1;
    if (line.reading !== undefined) this.readings += 1;
    if (line.reading === 'torn') this.torn += 1;
    return line;
  }
}

export function startProcess(demand: ProcessDemand): MirrorLife {
  const child = spawn(process.execPath, [program, JSON.stringify(demand)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  return new MirrorLife(child, createInterface({ input: child.stdout })[Symbol.asyncIterator]());
}
