import type { UploadMethod } from './faulty-uploads.ts';

const atOnceMax = 2;

/** The client whose turn it is to store 200 MB: the bucket's server stores everything in memory. */
export class LargeFiles {
  readonly bytes = 200_000_000;
  /** So many may have been begun by now. */
  allowed = 0;
  begun = 0;
  answered = 0;
  readonly #methods: readonly UploadMethod[];
  #underWay = 0;

  constructor(methods: readonly UploadMethod[]) {
    this.#methods = methods;
  }

  /** By one method after the other; null if it is no client's turn. */
  take(): UploadMethod | null {
    if (this.begun >= this.allowed || this.#underWay >= atOnceMax) return null;
    this.#underWay += 1;
    this.begun += 1;
    return this.#methods[this.begun % this.#methods.length] ?? null;
  }

  end(isAnswered: boolean): void {
    this.#underWay -= 1;
    if (isAnswered) this.answered += 1;
  }
}
