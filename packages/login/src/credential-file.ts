import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { LoginHost } from './login-host.ts';
import { LoginError } from './login-host.ts';

/** A session at one server, as stored on disk. */
export interface Credentials {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token came, and how long it is good for. */
  readonly issuedAtMs: number;
  readonly lifetimeSeconds: number;
  readonly email: string;
}

interface FileContent {
  readonly version: 1;
  readonly servers: Readonly<Record<string, Credentials>>;
}

const noServers: FileContent = { version: 1, servers: {} };

export function credentialFolder({ env, home }: Pick<LoginHost, 'env' | 'home'>): string {
  const base = env['XDG_CONFIG_HOME'];
  // By the XDG rules a relative path counts as none.
  return join(base?.startsWith('/') === true ? base : join(home, '.config'), 'daybook');
}

const fileName = 'credentials.json';

export async function readCredentials(folder: string, server: string): Promise<Credentials | null> {
  return (await readContent(join(folder, fileName))).servers[server] ?? null;
}

/** Under the lock only. Null forgets the server. */
export async function writeCredentials(
  folder: string,
  server: string,
  credentials: Credentials | null,
): Promise<void> {
  const path = join(folder, fileName);
  const { [server]: _old, ...others } = (await readContent(path)).servers;
  const servers = credentials === null ? others : { ...others, [server]: credentials };
  await replaceFile(path, `${JSON.stringify({ ...noServers, servers }, null, 2)}\n`);
}

export async function makeCredentialFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

async function readContent(path: string): Promise<FileContent> {
  let text: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new LoginError(`other users of this machine can read your tokens; run: chmod 600 ${path}`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return noServers;
    throw error;
  }
  const content = parseContent(text);
  if (content === null)
    throw new LoginError(`${path} is damaged; remove it and sign in again: daybook login`);
  return content;
}

function parseContent(text: string): FileContent | null {
  try {
    const value = JSON.parse(text) as Partial<FileContent> | null;
    return value?.version === 1 && typeof value.servers === 'object' ? (value as FileContent) : null;
  } catch {
    return null;
  }
}

/** Readers see the complete old or the complete new file, also after a power failure. */
async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(fresh, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
