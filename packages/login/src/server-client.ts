import type { Credentials } from './credential-file.ts';
import type { LoginHost } from './login-host.ts';
import { LoginError, SignedOutError, sessionEnded } from './login-host.ts';

const requestTimeoutDefaultMs = 15_000;
// The same in every process: the server forgives a client that races itself.
const userAgent = 'daybook-login/0.2.0';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Question {
  readonly json?: unknown;
  readonly accessToken?: string;
  readonly method?: 'POST';
  readonly timeoutMs?: number | undefined;
}

/** Never follows a redirect: the request is for this server only. */
async function ask(address: string, { json, accessToken, method, timeoutMs }: Question): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs ?? requestTimeoutDefaultMs),
      headers: {
        'user-agent': userAgent,
        accept: 'application/json',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      ...(method !== undefined && { method }),
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    });
    text = await response.text();
  } catch (error) {
    throw new LoginError(`${new URL(address).origin} cannot be reached`, { cause: reasonOf(error) });
  }
  const body = response.status === 204 ? {} : parseObject(text);
  if (response.status < 400 && body === null)
    throw new LoginError(`${new URL(address).origin} is not a Daybook server`);
  return { status: response.status, headers: response.headers, body: body ?? {} };
}

/** `fetch failed` is not informative; its cause is. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function complaintOf(server: string, { status, headers, body }: Answer): LoginError {
  const wait = headers.get('retry-after');
  const patience = wait === null ? '' : `; try again in ${wait} seconds`;
  const detail = typeof body['detail'] === 'string' ? body['detail'].replace(/\.$/, '') : `status ${status}`;
  if (status === 401) return new SignedOutError(detail);
  if (status === 429) return new LoginError(`too many sign-ins from your address${patience}`);
  if (status === 404) return new LoginError(`${server} has no accounts; check the URL`);
  return new LoginError(`${server} refused the request: ${detail}${patience}`);
}

export interface TokenServer {
  readonly exchange: (code: string, codeVerifier: string) => Promise<Credentials>;
  /** Raises SignedOutError where the refresh token is not good any more. */
  readonly refresh: (refreshToken: string) => Promise<Credentials>;
  readonly revoke: (refreshToken: string) => Promise<void>;
  readonly me: (accessToken: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly switchOrganization: (accessToken: string, key: string) => Promise<void>;
  readonly createOrganization: (accessToken: string, key: string, name: string) => Promise<void>;
}

export function createTokenServer(
  server: string,
  { nowMs, requestTimeoutMs: timeoutMs }: Pick<LoginHost, 'nowMs' | 'requestTimeoutMs'>,
): TokenServer {
  const post = async (path: string, json: unknown): Promise<Answer> => {
    const answer = await ask(`${server}/api/auth/token/${path}`, { json, timeoutMs });
    if (answer.status !== 200) throw complaintOf(server, answer);
    return answer;
  };
  const askAsAccount = async (path: string, question: Question, missing?: string): Promise<Answer> => {
    const answer = await ask(`${server}${path}`, { ...question, timeoutMs });
    if (answer.status === 401) throw sessionEnded(server);
    if (answer.status === 404 && missing !== undefined) throw new LoginError(missing);
    if (answer.status >= 400) throw complaintOf(server, answer);
    return answer;
  };
  const credentials = async (path: string, json: unknown): Promise<Credentials> => {
    // Counted from before the request: a slow response must not make a token seem younger than it is.
    const issuedAtMs = nowMs();
    const { body } = await post(path, json);
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetimeSeconds } = body;
    const { email } = body['user'] as { readonly email?: unknown };
    if (
      typeof accessToken !== 'string' ||
      typeof refreshToken !== 'string' ||
      !Number.isInteger(lifetimeSeconds)
    )
      throw new LoginError(`${server} is not a Daybook server`);
    return {
      accessToken,
      refreshToken,
      issuedAtMs,
      lifetimeSeconds: Number(lifetimeSeconds),
      email: String(email),
    };
  };
  return {
    exchange: (code, code_verifier) => credentials('exchange', { code, code_verifier }),
    refresh: (refresh_token) => credentials('refresh', { refresh_token }),
    revoke: async (refresh_token) => {
      await post('revoke', { refresh_token });
    },
    me: async (accessToken) => (await askAsAccount('/api/v1/me', { accessToken })).body,
    switchOrganization: async (accessToken, key) => {
      const path = `/dm/api/core/organizations/${encodeURIComponent(key)}/switch`;
      const missing = `you are not a member of ${key}; list your organizations with daybook organizations`;
      await askAsAccount(path, { accessToken, method: 'POST' }, missing);
    },
    createOrganization: async (accessToken, platform_key, name) => {
      await askAsAccount('/dm/api/core/organizations/', { accessToken, json: { platform_key, name } });
    },
  };
}
