/** The faults that a publisher can have. */
export type Fault =
  | ConnectionFault
  | AnswerFault
  | DocumentFault
  /** Requires basic or bearer credentials. */
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** How the response is delivered. */
type ConnectionFault =
  /** Waits before the headers; then, optionally, sends the body slowly. */
  | { readonly kind: 'slow'; readonly delayMs: number; readonly bytesPerSecond?: number }
  /** Closes the connection without a response. */
  | { readonly kind: 'dead' }
  /** Accepts the request and never responds. */
  | { readonly kind: 'silent' }
  /** Announces the whole body and closes in the middle of it. */
  | { readonly kind: 'cut' }
  /** A body that never ends. */
  | { readonly kind: 'endless' }
  /** A small compressed body that unpacks to so many bytes; 256 MB by default. */
  | { readonly kind: 'bomb'; readonly encoding: 'gzip' | 'br' | 'deflate'; readonly bytes?: number };

/** The response has another content. */
type AnswerFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: RetryAfter }
  /** To any address; the publisher does not follow it. */
  | { readonly kind: 'redirect'; readonly status: 301 | 302 | 303 | 307 | 308; readonly to: string }
  /** The feed has moved to another address of the same site, which serves it. */
  | { readonly kind: 'moved'; readonly status: 301 | 302 | 307 | 308 }
  /** Redirects to itself in so many steps; without a number every step is a new address. */
  | { readonly kind: 'redirect-loop'; readonly steps?: number }
  /** Pages with status 200 that are not the requested resource. */
  | { readonly kind: 'challenge' | 'consent' | 'paywall' }
  /** 304 to every request, also without validators. */
  | { readonly kind: 'not-modified' }
  /** Status 200 with an empty body. */
  | { readonly kind: 'blank' }
  /** The right body under a wrong type. */
  | { readonly kind: 'content-type'; readonly type: string };

type RetryAfter = { readonly seconds: number } | { readonly dateInSeconds: number };

/** The feed itself is wrong. */
export type DocumentFault =
  /** No entries any more. */
  | { readonly kind: 'empty' }
  /** Bytes in one encoding under the name of another; without a name none is declared. */
  | { readonly kind: 'encoding'; readonly actual: string; readonly declared: string | null }
  | {
      readonly kind: 'dates';
      readonly style: 'without-zone' | 'future' | 'same' | 'unreadable' | 'missing';
    }
  /** `changing`: other ones at every request. */
  | { readonly kind: 'guids'; readonly style: 'changing' | 'duplicate' | 'missing' }
  /** Titles take turns at every request: as they are, then in capitals with a mark. */
  | { readonly kind: 'rotating-titles' }
  /** Every entry occurs twice. */
  | { readonly kind: 'repeated-entries' }
  | { readonly kind: 'relative-links' }
  | {
      readonly kind: 'malformed';
      readonly how: 'blank-before-declaration' | 'unclosed' | 'control-character' | 'entity-bomb';
    };

/** The requests that a fault applies to. */
export interface FaultScope {
  /** `feed` by default; `page` are article pages and front pages. */
  readonly on?: 'feed' | 'page' | 'all';
  /** In milliseconds of the world's clock. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Only for so many requests. */
  readonly times?: number;
}
