/** Reads a body in chunks of the requested size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Buffer>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** At least one byte and at most this many. Rejects if the body has ended. */
  async read(bytesMax: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new Error('the body is shorter than was said');
      this.#rest = next.value;
    }
    const bytes = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(bytes.length);
    return bytes;
  }

  /** Exactly this many bytes, as they arrive. */
  async *take(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      const bytes = await this.read(left);
      left -= bytes.length;
      yield bytes;
    }
  }
}
