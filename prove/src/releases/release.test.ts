import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { describeMissingSource, readRelease } from './release.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

test('names the commit of the release and the command that fetches it into a clone without it', async () => {
  const release = await readRelease(root);
  const folder = await mkdtemp(join(tmpdir(), 'daybook-clone-'));
  try {
    const git = (...words: readonly string[]) =>
      run('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words]);
    await git('init', '--quiet', 'whole');
    const whole = join(folder, 'whole');
    for (const message of ['first', 'second'])
      await git('-C', whole, 'commit', '--quiet', '--allow-empty', '--message', message);
    await git('clone', '--quiet', '--depth=1', `file://${whole}`, 'shallow');
    expect(await describeMissingSource(join(folder, 'shallow'), release)).toBe(
      `This clone does not contain commit ${release.commit} of release ${release.version}. Run \`git fetch --unshallow\`.`,
    );
    expect(await describeMissingSource(whole, release)).toContain(`git fetch origin ${release.commit}`);
    const { stdout } = await git('-C', whole, 'rev-parse', 'HEAD');
    expect(await describeMissingSource(whole, { ...release, commit: stdout.trim() })).toBe(null);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
