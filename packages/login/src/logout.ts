import { credentialFolder, readCredentials, writeCredentials } from './credential-file.ts';
import { withCredentialLock } from './credential-lock.ts';
import type { LoginHost } from './login-host.ts';
import { createTokenServer } from './server-client.ts';

/** Ends the session at the server, then deletes it here; deletes nothing while the server is unreachable. */
export async function logout(host: LoginHost, server: string): Promise<boolean> {
  const folder = credentialFolder(host);
  return withCredentialLock(folder, async () => {
    const held = await readCredentials(folder, server);
    if (held === null) return false;
    await createTokenServer(server, host).revoke(held.refreshToken);
    await writeCredentials(folder, server, null);
    return true;
  });
}
