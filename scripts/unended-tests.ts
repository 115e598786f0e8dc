import { relative } from 'node:path';

import type { Reporter, TestModule } from 'vitest/node';

const silentMsMax = 5 * 60_000;

/**
 * Ends a test run in which no file has ended for five minutes, and names the files that are running. Tests and hooks
 * have limits of their own; a file that waits while it is loaded has none.
 */
export default class UnendedTests implements Reporter {
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#running.add(moduleId);
    this.#wait();
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId);
    this.#wait();
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const names = [...this.#running].map((path) => relative(process.cwd(), path));
      console.error(`No test file has ended for ${silentMsMax / 60_000} minutes. Running:`, names);
      process.exit(1);
    }, silentMsMax);
    this.#timer.unref();
  }
}
