import type { Target } from '../targets/target.ts';

/** What the classifier may see of a chunk. */
export interface ClassifierInput {
  /** Headings from the outermost to the chunk's own; empty for text under none. */
  readonly headings: readonly string[];
  readonly text: string;
  /** Of the note, relative to the folder that was scanned; null where there is none. */
  readonly path?: string | null;
}

export interface Classification {
  readonly target: Target;
  /** Calibrated: of chunks given 0.8, about eight in ten are right. Between 0 and 1. */
  readonly confidence: number;
  /** What spoke for the target, strongest first, in words a person understands. */
  readonly reasons: readonly string[];
  /** The next best targets, best first, without `target` itself. */
  readonly alternatives: readonly { readonly target: Target; readonly confidence: number }[];
}
