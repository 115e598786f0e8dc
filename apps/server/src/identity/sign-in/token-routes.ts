import { internal } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration, RouteInput } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { clientOf } from '../client.ts';
import {
  codedSignInProblems,
  invalidExchangeCode,
  invalidRefreshToken,
  refreshTokenReused,
} from '../identity-problems.ts';
import type { SessionGrant } from '../sessions/open-session.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { revokeFamily } from '../sessions/revoke-session.ts';
import { exchangeCode } from './exchange-code.ts';
import type { PresentTokensDeps, SignInDeps } from './sign-in.ts';
import { presentTokens, signIn } from './sign-in.ts';
import {
  ExchangeGrantSchema,
  PasswordGrantSchema,
  RefreshGrantSchema,
  SuccessSchema,
  TokenResponseSchema,
} from './token-schema.ts';

export interface TokenRoutesDeps extends SignInDeps, PresentTokensDeps {
  readonly signInSurface: Surface;
  readonly anonymous: Surface;
}

const tag = 'tokens';
const bodyBytesMax = 16 * 1024;
const tokens = { 200: { description: 'Signed in.', schema: TokenResponseSchema } };
const surfaceNote =
  'At most 10 requests per minute and IP address, shared by /auth/token, /refresh, /exchange and the sign-in form.';

export function tokenRoutes(deps: TokenRoutesDeps): readonly RouteDeclaration[] {
  const { signInSurface: surface } = deps;
  return [
    passwordRoute(deps),
    defineRoute({
      method: 'POST',
      path: '/api/auth/token/refresh',
      surface,
      operationId: 'refreshToken',
      tag,
      summary: 'Exchange a refresh token for a new pair of tokens.',
      description: `A refresh token works once. Sending it again revokes the session, unless the same client does so within 10 seconds. ${surfaceNote}`,
      body: RefreshGrantSchema,
      bodyBytesMax,
      responses: tokens,
      problems: [invalidRefreshToken, refreshTokenReused, internal],
      handle: async ({ body, request, reply }) => {
        const refresh = { refreshToken: body.refresh_token, client: clientOf(request) };
        return sendTokens(deps, reply, await refreshSession(deps, refresh));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/token/exchange',
      surface,
      operationId: 'exchangeCode',
      tag,
      summary: 'Exchange the code of a browser sign-in for tokens.',
      description: `A code works once, within 60 seconds. ${surfaceNote}`,
      body: ExchangeGrantSchema,
      bodyBytesMax,
      responses: tokens,
      problems: [invalidExchangeCode, internal],
      handle: async ({ body, request, reply }) => {
        const { code, code_verifier: codeVerifier } = body;
        return sendTokens(
          deps,
          reply,
          await exchangeCode(deps, { code, codeVerifier, client: clientOf(request) }),
        );
      },
    }),
    revokeRoute(deps),
  ];
}

function passwordRoute(deps: TokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/auth/token',
    surface: deps.signInSurface,
    operationId: 'createToken',
    tag,
    summary: 'Sign in with e-mail address and password.',
    description: `Five failures within 15 minutes lock the e-mail address for 15 minutes. Passwords and one-time codes are counted separately. Networks (IPv4 /24, IPv6 /64) with a successful sign-in to the account in the last 30 days have separate counters. ${surfaceNote}`,
    body: PasswordGrantSchema,
    bodyBytesMax,
    responses: tokens,
    problems: [...codedSignInProblems, internal],
    handle: async ({ body, request, reply }) => {
      const { email, password, one_time_code: oneTimeCode } = body;
      const attempt = { email, password, oneTimeCode, client: clientOf(request) };
      return sendTokens(deps, reply, await signIn(deps, attempt));
    },
  });
}

/** Not counted with the others: signing out must not fail because of too many sign-ins. */
function revokeRoute(deps: TokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/auth/token/revoke',
    surface: { ...deps.anonymous, name: 'sign-out', cors: null, unreadableBodyIsInvalid: true },
    operationId: 'revokeToken',
    tag,
    summary: 'Sign out the session of a refresh token.',
    description: 'Returns the same response for an unknown token.',
    body: RefreshGrantSchema,
    bodyBytesMax,
    responses: { 200: { description: 'Signed out.', schema: SuccessSchema } },
    problems: [internal],
    handle: async ({ body, request, reply }) => {
      await revokeFamily(deps, { refreshToken: body.refresh_token, client: clientOf(request) });
      return reply.header('cache-control', 'no-store').send({ success: true });
    },
  });
}

async function sendTokens(
  deps: PresentTokensDeps,
  reply: RouteInput<undefined, undefined, undefined>['reply'],
  grant: SessionGrant,
): Promise<unknown> {
  return reply.header('cache-control', 'no-store').send(await presentTokens(deps, grant));
}
