import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Writes the files of a commit to a folder, without anything that the working copy adds. */
export async function exportSource(root: string, commit: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`;
  await mkdir(folder, { recursive: true });
  await mkdir(dirname(archive), { recursive: true });
  await run('git', ['-C', root, 'archive', '--output', archive, commit]);
  await run('tar', ['-x', '-f', archive, '-C', folder]);
  await rm(archive);
}
