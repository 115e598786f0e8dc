/** An error in domain terms; the HTTP layer decides how to send it. */
export type ProblemKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'method-not-allowed'
  | 'timeout'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'range-not-satisfiable'
  | 'expectation-failed'
  | 'locked'
  | 'limited'
  | 'headers-too-large'
  | 'internal'
  | 'unavailable';

/** One entry of the public list of errors. Declared beside the feature that raises it. */
export interface ProblemDefinition {
  /** Stable, snake_case; clients branch on it. */
  readonly code: string;
  readonly kind: ProblemKind;
  readonly title: string;
  /** Its meaning and remedy, for the page behind `type`. */
  readonly explanation: string;
}

export interface FieldError {
  readonly in: 'query' | 'path' | 'header' | 'body';
  readonly name: string;
  readonly message: string;
}

export interface ProblemOptions {
  readonly retryAfterSeconds?: number;
  readonly errors?: readonly FieldError[];
  /** Headers, such as `Allow` with 405. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log, never for the caller. */
  readonly cause?: unknown;
}

/** The detail as a sentence. A detail about a field begins with the field's name, which keeps its case. */
export function sentenceOf({ detail, errors }: Pick<ProblemError, 'detail' | 'errors'>): string {
  const begun = errors === undefined ? detail.charAt(0).toUpperCase() + detail.slice(1) : detail;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The only error a domain throws on purpose. `detail` is public. */
export class ProblemError extends Error {
  readonly definition: ProblemDefinition;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(definition: ProblemDefinition, detail: string, options: ProblemOptions = {}) {
    super(`${definition.code}: ${detail}`, { cause: options.cause });
    this.name = 'ProblemError';
    this.definition = definition;
    this.detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}
