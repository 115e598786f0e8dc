import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { readConfig } from '../apps/server/src/config/config.ts';
import { ProblemError } from '../apps/server/src/foundation/problem.ts';
import { operatorCommands } from '../apps/server/src/identity/index.ts';
import { withIdentity } from '../apps/server/src/wiring/accounts.ts';
import { startMailServer } from '../apps/server/test/mail-server.ts';

/** The login of every development database. Never created outside `npm run dev`. */
export const developmentLogin = { email: 'editor@example.org', password: 'daybook-development' };

/** Generated once and stored beside the database, so that signing keys can be decrypted after a restart. */
export function developmentSecretKey(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
}

export async function seedLogin(environment: Readonly<Record<string, string>>): Promise<void> {
  const owner = {
    ...developmentLogin,
    username: 'editor',
    // Contains no word of the password: such passwords are refused.
    name: 'Editor',
    organization: { key: 'daybook', name: 'Daybook' },
    superuser: true,
  };
  await withIdentity(readConfig(environment), async (identity) => {
    await operatorCommands.createOwner(identity, owner).catch((error: unknown) => {
      if (!(error instanceof ProblemError) || error.definition.code !== 'conflict') throw error;
    });
  });
}

/** Shows mail in the terminal instead of sending it. */
export async function startMailPrinter(): Promise<string> {
  const { url } = await startMailServer((source) => {
    const readable = source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    console.log(`\n--- mail ---\n${readable}\n------------\n`);
  });
  return url;
}
