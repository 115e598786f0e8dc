import { execFileSync, spawnSync } from 'node:child_process';
import type { ExecFileSyncOptions } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { packPackage } from '../../../scripts/pack-packages.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'migrate-install-'));
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
};

function installed(command: string, args: readonly string[], input = ''): ReturnType<typeof spawnSync> {
  const program = join(folder, 'node_modules/.bin', command);
  return spawnSync(program, args, { cwd: folder, env: environment, encoding: 'utf8', input });
}

beforeAll(() => {
  const options: ExecFileSyncOptions = {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const tarball = packPackage('migrate', folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, tarball], { ...options, cwd: folder });
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the installed package has all three commands, with help and a version', () => {
  for (const command of ['daybook-migrate', 'MigrateScan', 'MigrateApprove']) {
    const help = installed(command, ['--help']);
    expect([help.status, help.stdout, help.stderr]).toEqual([0, expect.stringContaining('Exit codes'), '']);
  }
  expect(installed('daybook-migrate', ['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('the installed commands scan, commit and undo a note', () => {
  expect(installed('MigrateScan', ['--stdin', '--root', 'k'], '# Tea\n\nWater first.\n').status).toBe(0);
  const list = installed('daybook-migrate', ['status', '--list', '--json', '--root', 'k']);
  const { id } = JSON.parse(String(list.stdout)) as { readonly id: string };
  expect(installed('MigrateApprove', ['--modify', id, '--target', 'Ideas', '--root', 'k']).status).toBe(0);
  expect(readdirSync(join(folder, 'k/Knowledge/Ideas'))).toEqual(['Tea.md']);
  expect(installed('daybook-migrate', ['undo', '--root', 'k']).status).toBe(0);
  expect(readdirSync(join(folder, 'k'))).toEqual(['.migration']);
});

it('the library resolves from the tarball, and the licence is in it', () => {
  const script = "const { classify } = await import('daybook-migrate'); console.log(typeof classify)";
  const program = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([program.stdout, program.status]).toEqual(['function\n', 0]);
  expect(existsSync(join(folder, 'node_modules/daybook-migrate/LICENSE'))).toBe(true);
});

it('a closed pipe ends the commands without output', () => {
  const program = join(folder, 'node_modules/.bin/daybook-migrate');
  const { stderr } = spawnSync(
    'bash',
    ['-c', `'${program}' --help | head -1 >/dev/null; '${program}' status --json --root k | true`],
    {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
});
