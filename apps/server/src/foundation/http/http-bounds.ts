/** Concurrency limits of one process and time-outs for its clients. Only tests and suites pass other values. */
export interface HttpBounds {
  /** Beyond it, new requests get 503. */
  readonly inFlightMax: number;
  /** Uploads and downloads, counted apart from requests. */
  readonly streamsMax: number;
  readonly headersTimeoutMs: number;
  /** For a whole request that is not a stream. */
  readonly requestTimeoutMs: number;
  /** How long requests in flight may take once a process drains; `stop_grace_period` in compose.yaml is longer. */
  readonly drainFinishMs: number;
}

export const httpBounds: HttpBounds = {
  inFlightMax: 2_000,
  streamsMax: 1_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  drainFinishMs: 20_000,
};
