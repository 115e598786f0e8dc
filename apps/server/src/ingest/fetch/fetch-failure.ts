import { ForbiddenAddress, UnknownHost } from '../../foundation/outbound/guarded-sockets.ts';
import type { FetchFailure } from './fetch-outcome.ts';

/** Translates an error of the client, the socket or TLS into the reason of a failed fetch. */
export function failureOf(error: unknown): { readonly reason: FetchFailure; readonly detail: string } {
  const causes = withCauses(error);
  const detail = causes
    .map((cause) => (cause instanceof Error ? cause.message : String(cause)))
    .join(': ')
    .slice(0, 300);
  if (causes.some((cause) => cause instanceof ForbiddenAddress))
    return { reason: 'forbidden address', detail };
  if (causes.some((cause) => cause instanceof UnknownHost)) return { reason: 'unknown host', detail };
  const codes = causes.map(codeOf).join(' ');
  if (/CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_|EPROTO/u.test(codes)) return { reason: 'tls', detail };
  if (/TIMEOUT|ETIMEDOUT|TimeoutError/u.test(codes)) return { reason: 'deadline', detail };
  if (/HTTPParser|HPE_|HEADERS_OVERFLOW|CONTENT_LENGTH_MISMATCH|INVALID_/u.test(codes))
    return { reason: 'protocol', detail };
  return { reason: 'no connection', detail };
}

function withCauses(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && found.length < 5;) {
    found.push(at);
    if (at instanceof AggregateError) found.push(...at.errors.slice(0, 4));
    at = at instanceof Error ? at.cause : undefined;
  }
  return found;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return `${error.name} ${'code' in error ? String(error.code) : ''}`;
}
