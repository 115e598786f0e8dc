import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { exportSource } from '../../../scripts/release/source-tree.ts';
import { emptyEnvironment } from '../packages/outside-programs.ts';
import type { Release } from '../releases/release.ts';

/** The source of the release with the packages of its own lockfile, which later runs use again. Returns the folder. */
export async function installRelease(root: string, { commit }: Release): Promise<string> {
  const folder = join(root, '.data', 'releases', commit);
  const marker = join(folder, '.installed');
  if (existsSync(marker)) return folder;
  await rm(folder, { recursive: true, force: true });
  await exportSource(root, commit, folder);
  const words = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', words, { cwd: folder, env: emptyEnvironment(), maxBuffer: 2 ** 26 });
  await writeFile(marker, '');
  return folder;
}

/** The program of a source folder, started without npm. */
export function daybookOf(folder: string): string {
  return join(folder, 'apps/server/src/bin/daybook.ts');
}

/** Runs a command of `daybook` from this folder to its end. Throws with its output if it fails. */
export async function runCommand(
  folder: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  input = '',
): Promise<string> {
  const child = spawn(process.execPath, [daybookOf(folder), ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: 'pipe',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`daybook ${words.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
