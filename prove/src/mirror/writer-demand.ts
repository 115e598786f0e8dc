export interface WriterDemand {
  readonly url: string;
  readonly seed: number;
  /** How many of its decisions must be accepted before it ends. */
  readonly decisions: number;
  readonly sourceIds: readonly string[];
}

export interface WriterReport {
  accepted: number;
  refused: number;
}
