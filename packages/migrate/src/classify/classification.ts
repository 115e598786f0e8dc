import type { Target } from '../targets/target.ts';

/** The input of the classifier. */
export interface ClassifierInput {
  /** Headings from the outermost to the chunk's own; empty for text under none. */
  readonly headings: readonly string[];
  readonly text: string;
  /** The path of the note relative to the scanned folder; null without a file. */
  readonly path?: string | null;
}

export interface Classification {
  readonly target: Target;
  /** Calibrated: of chunks given 0.8, about eight in ten are right. Between 0 and 1. */
  readonly confidence: number;
  /** The reasons for the target, strongest first, readable for the user. */
  readonly reasons: readonly string[];
  /** The next best targets, best first, without `target` itself. */
  readonly alternatives: readonly { readonly target: Target; readonly confidence: number }[];
}
