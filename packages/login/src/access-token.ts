import type { Credentials } from './credential-file.ts';
import { credentialFolder, readCredentials, writeCredentials } from './credential-file.ts';
import { withCredentialLock } from './credential-lock.ts';
import type { LoginHost } from './login-host.ts';
import { SignedOutError, sessionEnded } from './login-host.ts';
import { createTokenServer } from './server-client.ts';

/** Refreshed this long before it expires: at about 55 minutes of an hour. */
const marginSeconds = 300;

/**
 * A token that is valid for some more minutes. A refresh token works once, so it is used under the lock, its successor
 * is written to disk before it is used, and the next process in the lock queue reads it there.
 */
export async function accessToken(host: LoginHost, server: string): Promise<string> {
  const folder = credentialFolder(host);
  const held = await readCredentials(folder, server);
  if (held !== null && isFresh(held, host.nowMs())) return held.accessToken;
  return withCredentialLock(folder, async () => {
    const latest = await readCredentials(folder, server);
    if (latest === null) throw new SignedOutError(`you are not signed in at ${server}; run: daybook login`);
    if (isFresh(latest, host.nowMs())) return latest.accessToken;
    const renewed = await refresh(host, server, folder, latest);
    await writeCredentials(folder, server, renewed);
    return renewed.accessToken;
  });
}

/** Whether `daybook login` has stored credentials of this server; they may have ended since. */
export async function isSignedIn(host: LoginHost, server: string): Promise<boolean> {
  return (await readCredentials(credentialFolder(host), server)) !== null;
}

async function refresh(
  host: LoginHost,
  server: string,
  folder: string,
  { refreshToken }: Credentials,
): Promise<Credentials> {
  try {
    return await createTokenServer(server, host).refresh(refreshToken);
  } catch (error) {
    if (!(error instanceof SignedOutError)) throw error;
    await writeCredentials(folder, server, null);
    throw sessionEnded(server);
  }
}

/** A time in the future was written by another clock: its validity is unknown. */
function isFresh({ issuedAtMs, lifetimeSeconds }: Credentials, nowMs: number): boolean {
  return nowMs >= issuedAtMs && nowMs < issuedAtMs + (lifetimeSeconds - marginSeconds) * 1000;
}
