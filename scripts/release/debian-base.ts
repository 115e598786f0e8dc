import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

/** Why no base can be built here; null if one can. */
export function describeMissingBuilder(): string | null {
  return spawnSync('mmdebstrap', ['--version']).error === undefined ? null : 'mmdebstrap is not installed';
}

/**
 * Writes the root file system of a Debian with only its essential packages, certificates and the account of the image.
 * The same packages give the same bytes.
 */
export async function buildDebianBase(suite: string, file: string, epochSeconds: number): Promise<void> {
  const account = 'node:x:1000:1000::/nonexistent:/usr/sbin/nologin';
  await run(
    'mmdebstrap',
    [
      '--variant=essential',
      // Node needs the two libraries.
      '--include=ca-certificates,libstdc++6,libatomic1',
      '--dpkgopt=path-exclude=/usr/share/man/*',
      '--dpkgopt=path-exclude=/usr/share/locale/*',
      '--dpkgopt=path-exclude=/usr/share/doc/*',
      '--dpkgopt=path-include=/usr/share/doc/*/copyright',
      `--customize-hook=echo '${account}' >> "$1/etc/passwd"; echo 'node:x:1000:' >> "$1/etc/group"`,
      suite,
      file,
    ],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) }, maxBuffer: 2 ** 26 },
  );
}

export async function listDebianPackages(base: string): Promise<readonly DebianPackage[]> {
  const { stdout } = await run('tar', ['-xOf', base, './var/lib/dpkg/status'], { maxBuffer: 2 ** 26 });
  const packages = stdout.split('\n\n').map((paragraph) => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
    return { name: field('Package'), version: field('Version'), architecture: field('Architecture') };
  });
  return packages.filter(({ name }) => name !== '');
}
