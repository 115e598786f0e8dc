export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export interface SpanIdentity {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

/** One operation of a trace. Names and attributes come from the code, never from a client: traces leave the installation. */
export interface Span extends SpanIdentity {
  readonly kind: SpanKind;
  readonly parentSpanId: string | null;
  name: string;
  readonly attributes: Record<string, string | number>;
  /** The trace of the client that sent the request; this trace links to it. */
  link: SpanIdentity | null;
  failed: boolean;
  /** Of the monotonic clock; this much less than the system clock. */
  readonly startMs: number;
  readonly clockOffsetMs: number;
  /** Null until it has ended. */
  endMs: number | null;
}

/** The class or the code of an error. Never its message, which may repeat a value. */
export function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return (
    ([code, name].find((one) => typeof one === 'string' && /^\w{1,40}$/.test(one)) as string | undefined) ??
    'error'
  );
}
