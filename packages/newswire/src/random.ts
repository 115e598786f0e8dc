/**
 * Small fast counter-based generator (sfc32). A stream is named by the numbers it is made from, so any part of a
 * world can be made again without what came before it.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number, purpose = 0, hour = 0, nth = 0, part = 0) {
    this.a = scramble(scramble(scramble(seed) ^ hour) ^ part);
    this.b = scramble(scramble(seed ^ 0x9e3779b9) + nth);
    this.c = scramble(purpose + 0x243f6a88);
    for (let round = 0; round < 8; round += 1) this.bits();
  }

  /** 32 unsigned bits. */
  bits(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** At least 0, below 1. */
  unit(): number {
    return this.bits() / 4_294_967_296;
  }

  /** A whole number from 0 to below `size`. */
  below(size: number): number {
    return Math.floor(this.unit() * size);
  }

  between(low: number, high: number): number {
    return low + this.unit() * (high - low);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, order: this.bits() }))
      .sort((one, other) => one.order - other.order)
      .map(({ value }) => value);
  }
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 16);
}
