import type { Span } from './span.ts';

/** Rejects where the receiver did not accept the spans. */
export type SendSpans = (spans: readonly Span[]) => Promise<void>;

export interface SpanCounts {
  readonly exported: number;
  /** The queue was full, or the process ended. */
  readonly droppedFromQueue: number;
  /** The receiver did not accept them in time. */
  readonly droppedByReceiver: number;
}

export interface SpanQueueOptions {
  readonly send: SendSpans;
  readonly waitingMax: number;
  readonly batchMax: number;
  /** How long a span waits for others. */
  readonly everyMs: number;
  /** Pause after a failure. */
  readonly restMs: number;
  /** With the first failure, and null with the first success after one. */
  readonly onState: (error: unknown) => void;
}

/** Bounded, with one batch being sent at a time: a receiver that is slow costs spans, never memory or requests. */
export class SpanQueue {
  readonly #options: SpanQueueOptions;
  readonly #waiting: Span[] = [];
  readonly #counts = { exported: 0, droppedFromQueue: 0, droppedByReceiver: 0 };
  #sending: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Whether the timer ends at once. */
  #isHurried = false;
  #isResting = false;
  #isFailing = false;
  #isStopped = false;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
  }

  get counts(): SpanCounts {
    return this.#counts;
  }

  add(span: Span): void {
    const { waitingMax, batchMax } = this.#options;
    if (this.#isStopped || this.#waiting.length >= waitingMax) {
      this.#counts.droppedFromQueue += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#timer === null || (!this.#isHurried && this.#waiting.length >= batchMax)) this.#plan();
  }

  /** Sends what waits, for this long at most; the rest is dropped. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer ?? undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([this.#sendAll(), late]);
    clearTimeout(timer);
    this.#counts.droppedFromQueue += this.#waiting.splice(0).length;
  }

  #plan(): void {
    if (this.#sending !== null || this.#isResting || this.#isStopped || this.#waiting.length === 0) return;
    clearTimeout(this.#timer ?? undefined);
    this.#isHurried = this.#waiting.length >= this.#options.batchMax;
    // Never within the request that ends a span: a batch takes about two milliseconds to write.
    this.#timer = setTimeout(() => void this.#sendNext(), this.#isHurried ? 0 : this.#options.everyMs);
    this.#timer.unref();
  }

  async #sendNext(): Promise<void> {
    this.#timer = null;
    this.#sending = this.#send(this.#waiting.splice(0, this.#options.batchMax));
    await this.#sending;
    this.#sending = null;
    this.#plan();
  }

  async #send(batch: readonly Span[]): Promise<void> {
    const { send, onState } = this.#options;
    try {
      await send(batch);
      this.#counts.exported += batch.length;
      if (this.#isFailing) onState(null);
      this.#isFailing = false;
    } catch (error) {
      this.#counts.droppedByReceiver += batch.length;
      if (!this.#isFailing) onState(error);
      this.#isFailing = true;
      this.#rest();
    }
  }

  #rest(): void {
    this.#isResting = true;
    const end = (): void => {
      this.#isResting = false;
      this.#plan();
    };
    setTimeout(end, this.#options.restMs).unref();
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    while (this.#waiting.length > 0 && !this.#isFailing) await this.#sendNext();
  }
}
