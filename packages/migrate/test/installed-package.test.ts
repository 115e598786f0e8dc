import { execFileSync, spawnSync } from 'node:child_process';
import type { ExecFileSyncOptions } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

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
  const source = fileURLToPath(new URL('..', import.meta.url));
  execFileSync('npm', ['pack', '--pack-destination', folder], { ...options, cwd: source });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, `./${tarball}`], { ...options, cwd: folder });
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a stranger who installs the package has all three commands, with help and a version', () => {
  for (const command of ['daybook-migrate', 'MigrateScan', 'MigrateApprove']) {
    const help = installed(command, ['--help']);
    expect([help.status, help.stdout, help.stderr]).toEqual([0, expect.stringContaining('Exit codes'), '']);
  }
  expect(installed('daybook-migrate', ['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('the installed commands scan a note, place it and take it back', () => {
  expect(installed('MigrateScan', ['--stdin', '--root', 'k'], '# Tea\n\nWater first.\n').status).toBe(0);
  const list = installed('daybook-migrate', ['status', '--list', '--json', '--root', 'k']);
  const { id } = JSON.parse(String(list.stdout)) as { readonly id: string };
  expect(installed('MigrateApprove', ['--modify', id, '--target', 'Ideas', '--root', 'k']).status).toBe(0);
  expect(readdirSync(join(folder, 'k/Knowledge/Ideas'))).toEqual(['tea.md']);
  expect(installed('daybook-migrate', ['undo', '--root', 'k']).status).toBe(0);
  expect(readdirSync(join(folder, 'k'))).toEqual(['.migration']);
});
