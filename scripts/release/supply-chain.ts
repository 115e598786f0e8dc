import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { npmEnvironment } from './server-tree.ts';

interface LockedPackage {
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/**
 * Packages for this platform that run a script when they are installed and are not in `allowScripts` of package.json,
 * and packages of the server that have one at all: the server is installed without scripts.
 */
export async function findUnexpectedScripts(root: string): Promise<readonly string[]> {
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(root, file), 'utf8'));
  const { packages } = (await read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const { allowScripts } = (await read('package.json')) as {
    readonly allowScripts: Readonly<Record<string, boolean>>;
  };
  return Object.entries(packages).flatMap(([place, locked]) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isHere =
      locked.os?.includes(process.platform) !== false && locked.cpu?.includes(process.arch) !== false;
    return locked.hasInstallScript === true && isHere && allowScripts[name] !== true ? [name] : [];
  });
}

export type Audit =
  | { readonly kind: 'checked'; readonly found: readonly string[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

interface AuditReport {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

/** Known vulnerabilities of everything that is shipped; not every registry answers. */
export async function auditDependencies(root: string): Promise<Audit> {
  const output = await promisify(execFile)('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    env: npmEnvironment(),
    maxBuffer: 2 ** 26,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout = '' }: { readonly stdout?: string }) => stdout,
  );
  const report = JSON.parse(output === '' ? '{}' : output) as AuditReport;
  if (report.vulnerabilities === undefined)
    return { kind: 'unavailable', reason: report.message ?? 'npm audit printed no report' };
  const found = Object.entries(report.vulnerabilities).map(
    ([name, { severity, range }]) => `${name} ${range} (${severity})`,
  );
  return { kind: 'checked', found };
}
