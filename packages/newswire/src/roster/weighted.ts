import type { Random } from '../random.ts';

/** A list from which each member is drawn in proportion to its weight. */
export class Weighted<T> {
  readonly members: readonly T[];
  /** Sum of the weights up to and including each member. */
  readonly #sums: Float64Array;

  constructor(members: readonly T[], weightOf: (member: T) => number) {
    this.members = members;
    this.#sums = new Float64Array(members.length);
    let sum = 0;
    for (const [at, member] of members.entries()) {
      sum += weightOf(member);
      this.#sums[at] = sum;
    }
  }

  draw(random: Random): T {
    const total = this.#sums.at(-1) ?? 0;
    const wanted = random.unit() * total;
    let [low, high] = [0, this.members.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    const member = this.members[low];
    if (member === undefined) throw new RangeError('nothing to draw from');
    return member;
  }
}
