import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';

import { notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { SealDeps } from '../../foundation/sealed-value.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';
import type { OpenIdIssuer } from './openid-issuer.ts';
import type { OpenIdTransaction } from './openid-transaction.ts';
import { sealTransaction } from './openid-transaction.ts';

export const openIdCallbackPath = '/auth/openid/callback';

export interface BeginOpenIdDeps extends SealDeps {
  readonly authUrl: string;
  /** Null without a provider. */
  readonly openId: OpenIdIssuer | null;
}

export interface OpenIdDeparture {
  /** The URL to redirect the browser to. */
  readonly redirectUrl: string;
  /** For an HttpOnly cookie of this browser; the callback needs it. */
  readonly transaction: string;
}

/** Redirects to the provider, and back to `openIdCallbackPath`. The context is returned unchanged. */
export function beginOpenIdSignIn(
  deps: BeginOpenIdDeps,
  request: { readonly context: string },
): Promise<OpenIdDeparture> {
  return depart(deps, request.context, null);
}

/** The same for a signed-in person who links the provider to this account. */
export async function beginOpenIdLink(
  deps: BeginOpenIdDeps & ReauthenticateDeps,
  request: ProvenRequest & { readonly context: string },
): Promise<OpenIdDeparture> {
  const { accountId, sessionId, context } = request;
  requireOpenId(deps);
  await reauthenticate(deps, 'link_provider', request);
  return depart(deps, context, { accountId, sessionId });
}

export function requireOpenId(deps: Pick<BeginOpenIdDeps, 'openId'>): OpenIdIssuer {
  if (deps.openId === null) throw new ProblemError(notFound, 'No sign-in provider is configured.');
  return deps.openId;
}

async function depart(
  deps: BeginOpenIdDeps,
  context: string,
  linkTo: OpenIdTransaction['linkTo'],
): Promise<OpenIdDeparture> {
  const openId = requireOpenId(deps);
  const configuration = await openId.configuration();
  const [state, nonce, codeVerifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: `${deps.authUrl}${openIdCallbackPath}`,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  const { issuer } = openId;
  return {
    redirectUrl: address.href,
    transaction: sealTransaction(deps, { issuer, state, nonce, codeVerifier, linkTo, context }),
  };
}
