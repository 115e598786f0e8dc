import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { exportSource } from '../../../scripts/release/source-tree.ts';

const run = promisify(execFile);

/** The latest release. Its commit is named because clones and mirrors often have no tags. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly lastMigration: number;
}

export async function readRelease(root: string): Promise<Release> {
  return JSON.parse(await readFile(join(root, 'apps/server/test/releases/released.json'), 'utf8')) as Release;
}

/** Why this clone cannot provide the source of the release, and what to do; null if it can. */
export async function describeMissingSource(
  root: string,
  { version, commit }: Release,
): Promise<string | null> {
  try {
    await run('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]);
    return null;
  } catch {
    const { stdout } = await run('git', ['-C', root, 'rev-parse', '--is-shallow-repository']);
    const remedy = stdout.trim() === 'true' ? 'git fetch --unshallow' : `git fetch origin ${commit}`;
    return `This clone does not contain commit ${commit} of release ${version}. Run \`${remedy}\`.`;
  }
}

/** The source of the release in a temporary folder, with the installed packages of third parties. */
export async function checkOutRelease(root: string, { commit }: Release): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-release-'));
  await exportSource(root, commit, folder);
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(join(root, 'node_modules')))
    // Its own packages are links relative to the root.
    if (name === '@daybook')
      await cp(join(root, 'node_modules', name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else await symlink(join(root, 'node_modules', name), join(modules, name));
  return folder;
}
