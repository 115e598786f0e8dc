/** Caches the newest responses up to so many bytes. */
export class ByteCache {
  readonly #bytesMax: number;
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string, make: () => Buffer): Buffer {
    const found = this.#kept.get(key);
    if (found !== undefined) return found;
    const made = make();
    this.#kept.set(key, made);
    this.#bytes += made.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
    return made;
  }
}
