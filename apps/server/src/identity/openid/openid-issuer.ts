import {
  ClientSecretBasic,
  ClientSecretPost,
  None,
  allowInsecureRequests,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { ClientAuth, Configuration, CustomFetchOptions } from 'openid-client';

import { hourMs } from '../../foundation/clock.ts';
import { temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import { isLoopbackHost } from '../../foundation/http/loopback-host.ts';
import { ProblemError } from '../../foundation/problem.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** The name on the sign-in button. */
  readonly name: string;
}

/** The OpenID provider of this installation. It is first contacted at the first sign-in. */
export interface OpenIdIssuer {
  readonly name: string;
  readonly issuer: string;
  /** The metadata of the provider; raises 503 while the provider is unreachable. */
  readonly configuration: () => Promise<Configuration>;
}

const answerBytesMax = 256 * 1024;
/** Keys are refreshed separately, far more often than endpoints. */
const configurationCacheMs = hourMs;
/** For this long callers share a failed request to an unreachable provider. */
const failureCacheMs = 5_000;

/** The provider was unreachable, or the response was invalid. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError';
}

export function providerUnavailable(cause: unknown): ProblemError {
  return new ProblemError(temporarilyUnavailable, 'The sign-in provider is unreachable.', {
    retryAfterSeconds: failureCacheMs / 1000,
    cause,
  });
}

/** The library passes our own error on as the cause of its own. */
export function isProviderUnavailable(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof ProviderUnavailableError) return true;
  return false;
}

export function createOpenIdIssuer(
  settings: OpenIdSettings,
  elapsedMs: () => number,
  requestTimeoutSeconds = 5,
): OpenIdIssuer {
  let held: { readonly configuration: Promise<Configuration>; until: number } | null = null;
  return {
    name: settings.name,
    issuer: settings.issuer,
    configuration: () => {
      if (held !== null && elapsedMs() < held.until) return held.configuration;
      const asked = {
        configuration: discover(settings, requestTimeoutSeconds).catch((error: unknown) => {
          asked.until = elapsedMs() + failureCacheMs;
          throw providerUnavailable(error);
        }),
        until: elapsedMs() + configurationCacheMs,
      };
      held = asked;
      return asked.configuration;
    },
  };
}

async function discover(settings: OpenIdSettings, timeout: number): Promise<Configuration> {
  const issuer = new URL(settings.issuer);
  return discovery(issuer, settings.clientId, {}, clientAuthentication(settings.clientSecret), {
    timeout,
    [customFetch]: boundedFetch,
    // Tokens come over TLS from the provider itself; their signature is still verified.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
}

/** The default of OpenID Connect, unless the provider does not list it. */
function clientAuthentication(secret: string): ClientAuth {
  if (secret === '') return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** Limits time and size of every response; without TLS, only requests to this machine are allowed. */
async function boundedFetch(address: string, options: CustomFetchOptions): Promise<Response> {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw new ProviderUnavailableError(`the provider names an address without TLS: ${protocol}//${hostname}`);
  try {
    const { body, signal, ...rest } = options;
    const init = { ...rest, body: body ?? null, redirect: 'manual', signal: signal ?? null } as const;
    const response = await fetch(address, init);
    const bytes = await readBounded(response);
    if (response.status >= 500) throw new Error(`the provider answers ${response.status}`);
    const { status, headers } = response;
    return new Response(status === 204 || status === 304 ? null : bytes, { status, headers });
  } catch (error) {
    throw new ProviderUnavailableError('the provider does not answer', { cause: error });
  }
}

async function readBounded(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > answerBytesMax) throw new Error(`the provider sends more than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
