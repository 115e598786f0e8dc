import type { Sha256 } from '../../foundation/hash.ts';
import type { ResponseHeaders, Validators } from './response-headers.ts';

export interface FetchRequest {
  readonly url: string;
  readonly accept: string;
  /** From the last answer whose entries were committed; null or empty asks for everything. */
  readonly validators?: Validators | null;
  /** Sent by POST instead of a GET. Redirects are followed where they ask for the same again (307, 308). */
  readonly form?: Readonly<Record<string, string>>;
  /** `Basic …` or `Bearer …`; sent to the origin of `url` only, wherever redirects lead. */
  readonly authorization?: string | null;
  /** After decompression. */
  readonly bytesMax: number;
  /** Over look-ups, connections, redirects and bodies together; waiting for a turn does not count. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /**
   * Asked before every request, those after a redirect too, with no connection held. `defer` ends the fetch so that
   * the address can be asked under its own domain's turn; `stop` ends it for good.
   */
  readonly beforeRequest?: (url: URL) => Promise<'go' | 'defer' | 'stop'>;
}

export type FetchOutcome =
  | FetchedDocument
  | (Answer & { readonly kind: 'not modified'; readonly validators: Validators })
  /** Any status that brings no document: 4xx, 5xx, 204 … */
  | (Answer & { readonly kind: 'refused'; readonly isRateLimited: boolean })
  | (Trace & { readonly kind: 'failed'; readonly reason: FetchFailure; readonly detail: string })
  | (Trace & { readonly kind: 'deferred' | 'stopped'; readonly nextUrl: string });

export interface FetchedDocument extends Answer {
  readonly kind: 'document';
  readonly bytes: Uint8Array;
  readonly contentHash: Sha256;
  readonly contentType: string | null;
  /** To be stored when the entries are committed, and not before. */
  readonly validators: Validators;
  /** From the Link header; feeds name theirs inside too. */
  readonly webSub: { readonly hubs: readonly string[]; readonly self: string | null };
}

/** What is known of every fetch, however it ended. */
export interface Trace {
  /** Every address asked, in order. */
  readonly hops: readonly string[];
  readonly timing: {
    /** Until the headers of the last answer. */
    readonly firstByteMs: number | null;
    /** On the network; waiting for a turn is not in it. */
    readonly totalMs: number;
  };
}

export interface Answer extends Trace {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Where the answer came from. */
  readonly url: string;
  /** Where an unbroken chain of permanent redirects from the first address led; null without one. */
  readonly permanentUrl: string | null;
  /** From Cache-Control or Expires. */
  readonly freshForMs: number | null;
  readonly retryAfterMs: number | null;
}

export type FetchFailure =
  | 'unusable address'
  /** What the source is asked with is sealed and cannot be opened here. */
  | 'unusable password'
  | 'forbidden address'
  | 'unknown host'
  | 'no connection'
  /** No sound certificate, or no TLS at all. */
  | 'tls'
  | 'deadline'
  | 'protocol'
  | 'too large'
  | 'unusable encoding'
  | 'unusable redirect'
  | 'redirect loop'
  | 'too many redirects'
  /** 304 to a request that asked for everything. */
  | 'not modified without validators'
  | 'cancelled';
