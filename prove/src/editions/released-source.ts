import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The source of a tag with the installed packages of third parties; null if the clone does not have the tag. */
export async function releasedSource(root: string, tag: string): Promise<string | null> {
  const found = await run('git', ['-C', root, 'tag', '--list', tag]);
  if (found.stdout.trim() === '') return null;
  const folder = await mkdtemp(join(tmpdir(), 'daybook-release-'));
  const archive = join(folder, 'source.tar');
  await run('git', ['-C', root, 'archive', '--output', archive, tag]);
  await run('tar', ['-x', '-f', archive, '-C', folder]);
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
