/** Caches the newest responses up to so many bytes. */
export class ByteCache {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Buffer>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string, make: () => Buffer): Buffer {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const made = make();
    this.#entries.set(key, made);
    this.#bytes += made.length;
    for (const [oldest, { length }] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#entries.delete(oldest);
      this.#bytes -= length;
    }
    return made;
  }
}
