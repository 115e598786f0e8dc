import { createHash, randomBytes } from 'node:crypto';

import { listenForCallback } from './callback-listener.ts';
import { failedPage, signedInPage } from './callback-page.ts';
import type { Credentials } from './credential-file.ts';
import { credentialFolder, readCredentials, writeCredentials } from './credential-file.ts';
import { withCredentialLock } from './credential-lock.ts';
import type { LoginHost } from './login-host.ts';
import { LoginError } from './login-host.ts';
import type { TokenServer } from './server-client.ts';
import { createTokenServer } from './server-client.ts';

const waitMs = 5 * 60_000;

/** The whole browser sign-in: listener, browser, code, tokens on disk. Returns the signed-in account. */
export async function browserLogin(
  host: LoginHost,
  server: string,
  options: { readonly browser: boolean; readonly timeoutMs?: number },
): Promise<Credentials> {
  const [state, codeVerifier] = [
    randomBytes(32).toString('base64url'),
    randomBytes(32).toString('base64url'),
  ];
  const listener = await listenForCallback(state);
  try {
    const address = signInAddress(server, listener.port, codeVerifier, state);
    const opened = options.browser && (await host.openBrowser(address));
    host.print(
      opened
        ? 'Opening your browser to sign in. If it does not open, visit:'
        : 'Open this URL in a browser on this machine:',
    );
    host.print(`\n  ${address}\n`);
    const tokens = createTokenServer(server, host);
    let credentials: Credentials | null = null;
    let failure: unknown = null;
    await listener.receive(options.timeoutMs ?? waitMs, async (code) => {
      try {
        credentials = await tokens.exchange(code, codeVerifier);
        await saveAndEndPrevious(host, server, tokens, credentials);
        return signedInPage;
      } catch (error) {
        failure = error;
        return failedPage(error instanceof LoginError ? error.message : 'An error occurred on this machine');
      }
    });
    if (credentials === null || failure !== null) throw failure ?? new LoginError('the sign-in failed');
    return credentials;
  } finally {
    await listener.close();
  }
}

function signInAddress(server: string, port: number, codeVerifier: string, state: string): string {
  const address = new URL(`${server}/auth/signin`);
  address.search = new URLSearchParams({
    source: 'api',
    port: String(port),
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
  }).toString();
  return address.href;
}

/** The previous session is ended once the new one is on disk; it may have ended already. */
async function saveAndEndPrevious(
  host: LoginHost,
  server: string,
  tokens: TokenServer,
  credentials: Credentials,
): Promise<void> {
  const folder = credentialFolder(host);
  const before = await withCredentialLock(folder, async () => {
    const held = await readCredentials(folder, server);
    await writeCredentials(folder, server, credentials);
    return held;
  });
  if (before !== null) await tokens.revoke(before.refreshToken).catch(() => {});
}
