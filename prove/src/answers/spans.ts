interface Span<Value> {
  readonly value: Value;
  /** The earliest moment at which it can have been so. */
  readonly from: number;
  /** The latest one. */
  until: number;
}

/** The values of something over time, as far as a client can know: a change happens at some moment of its request. */
export class Spans<Value> {
  readonly #spans: Span<Value>[];

  constructor(value: Value) {
    this.#spans = [{ value, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }];
  }

  get last(): Value {
    const span = this.#spans.at(-1);
    if (span === undefined) throw new Error('a value is missing');
    return span.value;
  }

  /** The values that it can have had between two moments. */
  within(from: number, until: number): readonly Value[] {
    return this.#spans.filter((span) => span.from <= until && span.until >= from).map(({ value }) => value);
  }

  async change(value: Value, request: () => Promise<unknown>): Promise<void> {
    const before = this.#spans.at(-1);
    const next: Span<Value> = { value, from: performance.now(), until: Number.POSITIVE_INFINITY };
    this.#spans.push(next);
    await request();
    if (before !== undefined) before.until = performance.now();
  }
}
