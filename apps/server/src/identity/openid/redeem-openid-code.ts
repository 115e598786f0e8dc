import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import {
  AuthorizationResponseError,
  ResponseBodyError,
  authorizationCodeGrant,
  fetchUserInfo,
} from 'openid-client';

import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Claims, ExternalIdentity } from './openid-claims.ts';
import { parseExternalIdentity } from './openid-claims.ts';
import { isProviderUnavailable, providerUnavailable } from './openid-issuer.ts';
import type { OpenIdTransaction } from './openid-transaction.ts';

/** Why the sign-in failed: the person cancelled, the provider refused, or the response is invalid. */
export type RedeemRefusal = 'cancelled' | 'provider_refused' | 'response_invalid';

export interface Redeemed {
  readonly identity: ExternalIdentity;
  /** All claims of the provider, which may need another request. */
  readonly claims: () => Promise<Claims>;
}

/** Exchanges the callback's code for an identity. Checks state, issuer, nonce, audience, signature and PKCE. */
export async function redeemOpenIdCode(
  configuration: Configuration,
  callback: URL,
  transaction: OpenIdTransaction,
): Promise<Result<Redeemed, RedeemRefusal>> {
  let tokens: TokenEndpointResponse & TokenEndpointResponseHelpers;
  try {
    tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: transaction.state,
      expectedNonce: transaction.nonce,
      pkceCodeVerifier: transaction.codeVerifier,
      idTokenExpected: true,
    });
  } catch (error) {
    return refused(refusalOf(error));
  }
  const idToken: Claims = tokens.claims() ?? {};
  const identity = parseExternalIdentity(idToken);
  if (identity === null) return refused('response_invalid');
  const claims = async (): Promise<Claims> => {
    const known = 'email' in idToken || configuration.serverMetadata().userinfo_endpoint === undefined;
    return known ? idToken : { ...idToken, ...(await askUserInfo(configuration, tokens, identity)) };
  };
  return accepted({ identity, claims });
}

function refusalOf(error: unknown): RedeemRefusal {
  if (isProviderUnavailable(error)) throw providerUnavailable(error);
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied' ? 'cancelled' : 'provider_refused';
  return error instanceof ResponseBodyError ? 'provider_refused' : 'response_invalid';
}

/** The library refuses a response about another subject. */
async function askUserInfo(
  configuration: Configuration,
  tokens: TokenEndpointResponse,
  { subject }: ExternalIdentity,
): Promise<Claims> {
  try {
    return await fetchUserInfo(configuration, tokens.access_token, subject);
  } catch (error) {
    throw providerUnavailable(error);
  }
}
