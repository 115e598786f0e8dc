/** An assertion of another feed reader's test suite about one document, on the five fields of an entry. */
export interface Assertion {
  readonly document: string;
  /** Null: about the feed itself. */
  readonly entry: number | null;
  readonly field: 'title' | 'link' | 'id' | 'published' | 'updated' | 'summary' | 'content';
  readonly expected: Expected;
}

export type Expected =
  /** Text is compared, not markup. */
  | { readonly form: 'text'; readonly value: string; readonly plain: boolean }
  | { readonly form: 'exact'; readonly value: string }
  /** Seconds since 1970. */
  | { readonly form: 'instant'; readonly value: number };

/** An assertion on one of the five fields that is excluded, and why. */
export interface Exclusion {
  readonly document: string;
  readonly reason: string;
}

export interface Expectations {
  readonly assertions: readonly Assertion[];
  readonly exclusions: readonly Exclusion[];
}
