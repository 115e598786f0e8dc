import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair } from 'jose';
import type { AccountClaims, Configuration } from 'oidc-provider';
import Provider from 'oidc-provider';

/** The provider's claims about a user, beside the login that is the subject. */
export interface ProviderUser {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly preferred_username?: string;
}

export interface OpenIdProviderOptions {
  /** Allowed redirect addresses. */
  readonly redirectUris: readonly string[];
  readonly users: Readonly<Record<string, ProviderUser>>;
  /** Whether the ID token contains the e-mail address, or only the userinfo endpoint returns it. */
  readonly claimsInIdToken?: boolean;
  readonly port?: number;
}

export interface OpenIdProvider {
  readonly issuer: string;
  readonly port: number;
  readonly settings: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly name: string;
  };
  readonly stop: () => Promise<void>;
}

const client = { client_id: 'daybook', client_secret: 'a secret between daybook and its provider' };

/** A real OpenID provider on loopback. Its users sign in with any password. */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProvider> {
  const server = createServer();
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, await configurationOf(options));
  const serve = provider.callback();
  server.on('request', (request, response) => void serve(request, response));
  return {
    issuer,
    port,
    settings: { issuer, clientId: client.client_id, clientSecret: client.client_secret, name: 'Test ID' },
    stop: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function configurationOf(options: OpenIdProviderOptions): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    clients: [
      {
        ...client,
        redirect_uris: [...options.redirectUris],
        id_token_signed_response_alg: 'ES256',
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', use: 'sig', alg: 'ES256' }] },
    cookies: { keys: ['not a secret'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: options.claimsInIdToken !== true,
    // Every lifetime is explicit: the library warns about its defaults.
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_context, login) => {
      const user = options.users[login];
      if (user === undefined) return undefined;
      return { accountId: login, claims: (): AccountClaims => ({ sub: login, ...user }) };
    },
  };
}

/**
 * Simulates the browser at the provider: signs in, consents, and returns the address that the provider redirects
 * to, without visiting it. A refusal redirects with an error.
 */
export async function visitProvider(
  address: string,
  login: string,
  agrees: 'agrees' | 'refuses' = 'agrees',
): Promise<string> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let next: { readonly url: URL; readonly form?: URLSearchParams } = { url: new URL(address) };
  for (let step = 0; step < 20; step += 1) {
    if (next.url.origin !== origin) return next.url.href;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie },
      ...(next.form && { method: 'POST', body: next.form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const page = await answer.text();
    const location = answer.headers.get('location');
    if (location !== null) next = { url: new URL(location, next.url) };
    else if (answer.status !== 200) throw new Error(`the provider answers ${answer.status}: ${page}`);
    else if (agrees === 'refuses')
      next = { url: new URL(/href="([^"]+\/abort)"/.exec(page)?.[1] ?? '', next.url) };
    else {
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? '';
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
      next = {
        url: new URL(action, next.url),
        form: new URLSearchParams({ prompt, login, password: 'any' }),
      };
    }
  }
  throw new Error('the provider sends its visitors round in circles');
}
