import type { Socket } from 'node:net';

import { awaitSocket, createSocketOpener, ForbiddenAddress } from './guarded-sockets.ts';
import type { HostResolver } from './host-resolver.ts';
import { resolveHost } from './host-resolver.ts';
import { isPublicAddress } from './public-address.ts';

export interface OutboundPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

export type PostOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'failed'; readonly reason: 'forbidden address' | 'no response' };

/** Sends a request to an address that a user chose. Redirects are not followed, and the response's body is not read. */
export type PostOnce = (post: OutboundPost) => Promise<PostOutcome>;

export interface PostOptions {
  /** Development only: `*.example` is a server on this port of loopback. */
  readonly examplePort: number | null;
  /** For tests; by default the name servers and public addresses only. */
  readonly resolve?: HostResolver;
  readonly isAllowedAddress?: (address: string) => boolean;
}

export function createPostOnce({ examplePort, resolve, isAllowedAddress }: PostOptions): PostOnce {
  const openSocket = createSocketOpener({
    isAllowed: isAllowedAddress ?? isPublicAddress,
    resolve: resolve ?? resolveHost,
    examplePort,
  });
  return async ({ url, headers, body, deadlineMs, signal }) => {
    const { Client } = await import('undici');
    let socket: Socket | null = null;
    const client = new Client(url.origin, {
      connect: (target, callback) => {
        socket = awaitSocket(openSocket(target), callback as Parameters<typeof awaitSocket>[1]);
      },
      headersTimeout: deadlineMs,
      maxHeaderSize: 32_768,
    });
    const deadline = AbortSignal.timeout(deadlineMs);
    // Also while the connection is being opened.
    const cut = (): void => void socket?.destroy();
    const ended = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    ended.addEventListener('abort', cut, { once: true });
    try {
      const { statusCode, headers: received } = await client.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers,
        body,
        signal: ended,
      });
      return { kind: 'answered', status: statusCode, retryAfterSeconds: secondsOf(received['retry-after']) };
    } catch (error) {
      return { kind: 'failed', reason: isForbidden(error) ? 'forbidden address' : 'no response' };
    } finally {
      ended.removeEventListener('abort', cut);
      await client.destroy();
    }
  };
}

function secondsOf(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,6}$/u.test(value) ? Number(value) : null;
}

function isForbidden(error: unknown): boolean {
  return (
    error instanceof ForbiddenAddress || (error instanceof Error && error.cause instanceof ForbiddenAddress)
  );
}
