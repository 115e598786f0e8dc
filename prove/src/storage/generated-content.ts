import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Divides no size of a part, so that two parts of a content are never the same bytes. */
const blockBytes = 1_048_573;

/** Bytes that are made when they are sent, so that 200 MB need no memory: a random block, repeated from somewhere in it. */
export class GeneratedContent {
  readonly length: number;
  readonly #block: Buffer;
  readonly #from: number;

  constructor(block: Buffer, from: number, length: number) {
    this.#block = block;
    this.#from = from;
    this.length = length;
  }

  slice(from: number, to: number): GeneratedContent {
    return new GeneratedContent(this.#block, this.#from + from, to - from);
  }

  *chunks(): Generator<Buffer> {
    for (let at = 0; at < this.length;) {
      const start = (this.#from + at) % this.#block.length;
      const chunk = this.#block.subarray(start, start + this.length - at);
      yield chunk;
      at += chunk.length;
    }
  }

  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    for (const chunk of this.chunks()) {
      hash.update(chunk);
      if (chunk.length === this.#block.length) await nextTurn();
    }
    return hash.digest('hex');
  }
}

/** Other bytes at each call. */
export function createContents(random: () => number): (length: number) => GeneratedContent {
  const block = randomBytes(blockBytes);
  return (length) => new GeneratedContent(block, Math.floor(random() * blockBytes), length);
}
