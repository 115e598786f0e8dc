import { execFileSync, spawnSync } from 'node:child_process';

import { vi } from 'vitest';

/** Null where a real terminal can be had; else why not. */
export const noTerminal: string | null =
  spawnSync('tmux', ['-V']).status === 0 ? null : 'tmux is not installed (apt-get install tmux)';

let serial = 0;

/** A program in a terminal of its own: keys go in as a person presses them, the screen comes out as it is seen. */
export class Terminal {
  readonly #socket = `migrate-test-${process.pid}-${(serial += 1)}`;

  constructor(command: string, size: { readonly columns: number; readonly rows: number }) {
    const dimensions = ['-x', String(size.columns), '-y', String(size.rows)];
    this.#tmux(['-f', '/dev/null', 'new-session', '-d', ...dimensions, command]);
    this.#tmux(['set-option', '-g', 'remain-on-exit', 'on']);
  }

  #tmux(args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }

  screen(): string {
    return this.#tmux(['capture-pane', '-p']);
  }

  /** Waits until the screen shows all of it, and returns the screen. */
  async shows(...texts: readonly string[]): Promise<string> {
    return vi.waitFor(
      () => {
        const screen = this.screen();
        for (const text of texts) if (!screen.includes(text)) throw new Error(`no "${text}" on:\n${screen}`);
        return screen;
      },
      { timeout: 15_000, interval: 50 },
    );
  }

  press(...keys: readonly string[]): void {
    this.#tmux(['send-keys', ...keys]);
  }

  /** The process in the terminal, to be killed. */
  processId(): number {
    return Number(this.#tmux(['display-message', '-p', '#{pane_pid}']));
  }

  /** Waits until the process in the terminal has ended. */
  async ended(): Promise<void> {
    await vi.waitFor(
      () => {
        if (this.#tmux(['display-message', '-p', '#{pane_dead}']).trim() !== '1')
          throw new Error('it still runs');
      },
      { timeout: 15_000, interval: 50 },
    );
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }
}
