import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { emptyEnvironment } from '../packages/outside-programs.ts';

const run = promisify(execFile);

export interface BuiltRelease {
  readonly version: string;
  readonly commit: string;
  /** The files of the first build. */
  readonly folder: string;
  /** Names of the files whose digest the second build changed. */
  readonly changed: readonly string[];
  /** A file of allowed signers that names the key. */
  readonly signers: string;
  readonly signer: string;
  /** The public key. */
  readonly publicKey: string;
  /** What the builds printed beside the digests. */
  readonly warnings: readonly string[];
  readonly remove: () => Promise<void>;
}

const signer = 'releases@example.org';

/** Builds the release of the current commit twice, in a clean clone and in the same clone at another path. */
export async function buildReleaseTwice(root: string): Promise<BuiltRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'prove-release-'));
  const key = join(folder, 'key');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', signer, '-f', key]);
  const clone = join(folder, 'first/clone');
  await run('git', ['clone', '--quiet', root, clone]);
  const options = { env: emptyEnvironment(), maxBuffer: 2 ** 26 };
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { ...options, cwd: clone });
  const build = async (cwd: string, out: string): Promise<string> => {
    const words = ['run', '--silent', 'release', '--', '--dry', '--key', key, '--out', out];
    return (await run('npm', words, { ...options, cwd })).stderr;
  };
  const [first, second] = [join(folder, 'files'), join(folder, 'files-again')];
  const printed = await build(clone, first);
  const moved = join(folder, 'second');
  await rename(join(folder, 'first'), moved);
  await build(join(moved, 'clone'), second);
  const [before, after] = [await readSums(first), await readSums(second)];
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const publicKey = await readFile(`${key}.pub`, 'utf8');
  const signers = join(folder, 'signers');
  await cp(`${key}.pub`, signers);
  await run('sed', ['-i', `s/^/${signer} /`, signers]);
  return {
    version,
    commit: (await run('git', ['-C', root, 'rev-parse', 'HEAD'])).stdout.trim(),
    folder: first,
    changed: [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => before.get(name) !== after.get(name),
    ),
    signers,
    signer,
    publicKey,
    warnings: printed.split('\n').filter((line) => line !== ''),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function readSums(folder: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}
