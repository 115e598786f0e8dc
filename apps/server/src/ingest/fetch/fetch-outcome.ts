import type { Sha256 } from '../../foundation/hash.ts';
import type { ResponseHeaders, Validators } from './response-headers.ts';

export interface FetchRequest {
  readonly url: string;
  readonly accept: string;
  /** From the last response whose entries were committed; null or empty: a full request. */
  readonly validators?: Validators | null;
  /** Sends this form with POST. Only redirects that repeat the request (307, 308) are followed. */
  readonly form?: Readonly<Record<string, string>>;
  /** `Basic …` or `Bearer …`; sent to the origin of `url` only, wherever redirects lead. */
  readonly authorization?: string | null;
  /** After decompression. */
  readonly bytesMax: number;
  /** Over look-ups, connections, redirects and bodies together; waiting for a turn does not count. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /**
   * Called before every request, including those after a redirect, without an open request. `defer` ends the fetch so
   * that the address can be requested under the lease of its own domain; `stop` ends it without a retry.
   */
  readonly beforeRequest?: (url: URL) => Promise<'go' | 'defer' | 'stop'>;
}

export type FetchOutcome =
  | FetchedDocument
  | (Answer & { readonly kind: 'not modified'; readonly validators: Validators })
  /** Any status without a document: 4xx, 5xx, 204 … */
  | (Answer & { readonly kind: 'refused'; readonly isRateLimited: boolean })
  | (Trace & { readonly kind: 'failed'; readonly reason: FetchFailure; readonly detail: string })
  | (Trace & { readonly kind: 'deferred' | 'stopped'; readonly nextUrl: string });

export interface FetchedDocument extends Answer {
  readonly kind: 'document';
  readonly bytes: Uint8Array;
  readonly contentHash: Sha256;
  readonly contentType: string | null;
  /** Store them in the transaction that commits the entries. */
  readonly validators: Validators;
  /** From the Link header; feeds can also name hubs in the document. */
  readonly webSub: { readonly hubs: readonly string[]; readonly self: string | null };
}

/** Common to all outcomes. */
export interface Trace {
  /** Every requested address, in order. */
  readonly hops: readonly string[];
  readonly timing: {
    /** Until the headers of the last response. */
    readonly firstByteMs: number | null;
    /** Time on the network, without waiting for a turn. */
    readonly totalMs: number;
  };
}

export interface Answer extends Trace {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The address of the response, after redirects. */
  readonly url: string;
  /** Where an unbroken chain of permanent redirects from the first address led; null without one. */
  readonly permanentUrl: string | null;
  /** From Cache-Control or Expires. */
  readonly freshForMs: number | null;
  readonly retryAfterMs: number | null;
}

export type FetchFailure =
  | 'unusable address'
  /** The sealed Authorization header cannot be opened. */
  | 'unusable password'
  | 'forbidden address'
  | 'unknown host'
  | 'no connection'
  /** An invalid certificate, or no TLS. */
  | 'tls'
  | 'deadline'
  | 'protocol'
  | 'too large'
  | 'unusable encoding'
  | 'unusable redirect'
  | 'redirect loop'
  | 'too many redirects'
  /** 304 to a request without validators. */
  | 'not modified without validators'
  | 'cancelled';
