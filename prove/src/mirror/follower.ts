import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface FollowerDemand {
  readonly address: string;
  readonly store: 'json-lines' | 'sqlite';
  readonly path: string;
  /** How many times faster than ours its clock runs. */
  readonly speed: number;
}

const program = fileURLToPath(new URL('../processes/client-mirror.ts', import.meta.url));

interface FollowerLine {
  readonly started?: true;
  readonly kind?: string;
  readonly size?: number;
  readonly hash?: string;
}

/** One life of a mirror process. */
export class Follower {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #lines: AsyncIterator<string>;
  restarts = 0;
  errors = 0;

  constructor(demand: FollowerDemand) {
    this.#child = spawn(process.execPath, [program, JSON.stringify(demand)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
    });
    if (this.#child.stdout === null) throw new Error('the mirror process has no output');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Waits until it says that it has started, or is exact in this sense; false where it ended first. */
  async says(isWanted: (line: FollowerLine) => boolean): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) return false;
      const line = JSON.parse(value) as FollowerLine;
      if (line.kind === 'restart') this.restarts += 1;
      if (line.kind === 'error') this.errors += 1;
      if (isWanted(line)) return true;
    }
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
