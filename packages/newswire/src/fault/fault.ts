/** What can be wrong with a publisher, on request. */
export type Fault =
  | ConnectionFault
  | AnswerFault
  | DocumentFault
  /** Asks for basic or bearer credentials. */
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** How the answer is delivered. */
type ConnectionFault =
  /** Waits before the headers; then, if asked, sends the body slowly. */
  | { readonly kind: 'slow'; readonly delayMs: number; readonly bytesPerSecond?: number }
  /** Closes the connection without an answer. */
  | { readonly kind: 'dead' }
  /** Takes the request and never answers. */
  | { readonly kind: 'silent' }
  /** Announces the whole body and closes in the middle of it. */
  | { readonly kind: 'cut' }
  /** A body that never ends. */
  | { readonly kind: 'endless' }
  /** A small compressed body that unpacks to so many bytes; 256 MB unless said otherwise. */
  | { readonly kind: 'bomb'; readonly encoding: 'gzip' | 'br' | 'deflate'; readonly bytes?: number };

/** Something else is answered. */
type AnswerFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: RetryAfter }
  /** To any address; nothing is followed here. */
  | { readonly kind: 'redirect'; readonly status: 301 | 302 | 303 | 307 | 308; readonly to: string }
  /** The feed has moved to another address of the same site, where it answers. */
  | { readonly kind: 'moved'; readonly status: 301 | 302 | 307 | 308 }
  /** Redirects to itself in so many steps; without a number every step is a new address. */
  | { readonly kind: 'redirect-loop'; readonly steps?: number }
  /** Pages with status 200 that are not what was asked for. */
  | { readonly kind: 'challenge' | 'consent' | 'paywall' }
  /** 304, whatever was asked, also without validators. */
  | { readonly kind: 'not-modified' }
  /** Status 200 and nothing. */
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
  /** Every entry stands there twice. */
  | { readonly kind: 'repeated-entries' }
  | { readonly kind: 'relative-links' }
  | {
      readonly kind: 'malformed';
      readonly how: 'blank-before-declaration' | 'unclosed' | 'control-character' | 'entity-bomb';
    };

/** For which requests a fault holds. */
export interface FaultScope {
  /** `feed` unless said otherwise; `page` are article pages and front pages. */
  readonly on?: 'feed' | 'page' | 'all';
  /** In milliseconds of the world's clock. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Only for so many requests. */
  readonly times?: number;
}
