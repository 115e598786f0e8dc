import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** Null where a real terminal can be had; else why not. */
export const noTerminal: string | null =
  spawnSync('tmux', ['-V']).status === 0 ? null : 'tmux is not installed (apt-get install tmux)';

const patienceMs = 20_000;
const lookEveryMs = 50;
let serial = 0;

/** A program in a terminal of its own: keys go in as a person presses them, the screen comes out as it is seen. */
export class Terminal {
  readonly #socket = `migrate-test-${process.pid}-${(serial += 1)}`;

  constructor(command: string, size: { readonly columns: number; readonly rows: number }) {
    const dimensions = ['-x', String(size.columns), '-y', String(size.rows)];
    // tmux sometimes misses the end of its own process, so a shell around the program prints its exit code.
    const shell = `trap : INT; ${command}; echo "[exit code $?]"; sleep 60`;
    this.#tmux(['-f', '/dev/null', 'new-session', '-d', ...dimensions, shell]);
  }

  #tmux(args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }

  screen(): string {
    return this.#tmux(['capture-pane', '-p']);
  }

  /** Waits until the screen shows all of it, and returns the screen. */
  async shows(...texts: readonly string[]): Promise<string> {
    let screen = '';
    await this.#until(
      () => {
        screen = this.screen();
        return texts.every((text) => screen.includes(text));
      },
      `${texts.join(', ')} on the screen`,
    );
    return screen;
  }

  press(...keys: readonly string[]): void {
    this.#tmux(['send-keys', ...keys]);
  }

  /** The program in the terminal, to be killed. */
  processId(): number {
    const shell = this.#tmux(['display-message', '-p', '#{pane_pid}']).trim();
    return Number(execFileSync('pgrep', ['-P', shell], { encoding: 'utf8' }));
  }

  /** Waits until the program has ended, and returns its exit code. */
  async ended(): Promise<number> {
    const screen = await this.shows('[exit code ');
    return Number(/\[exit code (\d+)\]/.exec(screen)?.[1]);
  }

  async #until(isTrue: () => boolean, what: string): Promise<void> {
    for (let waitedMs = 0; !isTrue(); waitedMs += lookEveryMs) {
      if (waitedMs > patienceMs) throw new Error(`waited in vain for ${what}:\n${this.screen()}`);
      await setTimeout(lookEveryMs);
    }
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }
}
