import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { BillOfMaterials } from '../../../scripts/release/bill-of-materials.ts';
import {
  limitTo,
  listInstalledPackages,
  listLockedDependencies,
  serializeBill,
} from '../../../scripts/release/bill-of-materials.ts';
import { readNotes } from '../../../scripts/release/release-notes.ts';
import { sha256, writeTar } from '../../../scripts/release/reproducible-tar.ts';
import { requireKeyOutside } from '../../../scripts/release/signature.ts';
import { findUnexpectedScripts } from '../../../scripts/release/supply-chain.ts';

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-release-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('archives the same files to the same bytes, whatever their times, modes and order of creation', async () => {
  const digests: string[] = [];
  for (const [name, files, seconds] of [
    ['one', ['a', 'b'], 1_000],
    ['two', ['b', 'a'], 2_000],
  ] as const) {
    const tree = join(folder, name);
    await mkdir(tree);
    for (const file of files) {
      await writeFile(join(tree, file), file);
      await chmod(join(tree, file), name === 'one' ? 0o600 : 0o664);
      await utimes(join(tree, file), seconds, seconds);
    }
    await symlink('a', join(tree, 'link'));
    await writeTar(tree, join(folder, `${name}.tar`), { epochSeconds: 1_700_000_000, prefix: 'daybook' });
    digests.push(await sha256(join(folder, `${name}.tar`)));
  }
  expect(digests[0]).toBe(digests[1]);
  const { stdout } = await run('tar', ['-tvf', join(folder, 'one.tar')]);
  expect(stdout).toContain('daybook/link -> a');
  expect(stdout).toContain('0/0');
});

const component = (ref: string): { 'bom-ref': string; name: string; version: string } => ({
  'bom-ref': ref,
  name: 'folder',
  version: '1.0.0',
});
const bill = (serialNumber: string, timestamp: string): BillOfMaterials => ({
  serialNumber,
  metadata: { timestamp, component: component('workspace@1.0.0') },
  components: [component('here@1.0.0'), component('elsewhere@1.0.0')],
  dependencies: [{ ref: 'workspace@1.0.0', dependsOn: ['here@1.0.0', 'elsewhere@1.0.0'] }],
});

test('writes the same SBOM for the same packages, with another number for others', () => {
  const options = { name: 'daybook-server', version: '1.0.0', epochSeconds: 1_700_000_000 };
  const [first, second] = [bill('urn:uuid:1', 'now'), bill('urn:uuid:2', 'later')].map((one) =>
    serializeBill(one, options),
  );
  expect(first).toBe(second);
  const numberOf = (text = ''): string => (JSON.parse(text) as { serialNumber: string }).serialNumber;
  expect(numberOf(first)).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  const other = { ...bill('', ''), components: [component('here@1.0.0')] };
  expect(numberOf(serializeBill(other, options))).not.toBe(numberOf(first));
});

test('lists only packages of the tree, and refuses one that the lockfile does not name', async () => {
  const install = async (name: string): Promise<void> => {
    await mkdir(join(folder, 'node_modules', name), { recursive: true });
    await writeFile(
      join(folder, 'node_modules', name, 'package.json'),
      JSON.stringify({ name, version: '1.0.0' }),
    );
  };
  await install('here');
  const limited = limitTo(bill('', ''), await listInstalledPackages(folder));
  expect(limited.components.map((one) => one['bom-ref'])).toEqual(['here@1.0.0']);
  expect(limited.dependencies).toEqual([{ ref: 'workspace@1.0.0', dependsOn: ['here@1.0.0'] }]);
  await install('@scope/planted');
  const planted = await listInstalledPackages(folder);
  expect(() => limitTo(bill('', ''), planted)).toThrow('@scope/planted@1.0.0');
});

test('lists what npm installs with a workspace, with nested versions and without development dependencies', () => {
  const packages = {
    'packages/cli': { name: 'cli', version: '0.1.0', dependencies: { client: '0.1.0', zod: '4.0.0' } },
    'packages/client': { name: 'client', version: '0.1.0', devDependencies: { unused: '1.0.0' } },
    'node_modules/client': { resolved: 'packages/client', link: true },
    'node_modules/zod': { version: '3.0.0' },
    'node_modules/unused': { version: '1.0.0' },
    'packages/cli/node_modules/zod': { version: '4.0.0', dependencies: { deep: '1.0.0' } },
    'node_modules/deep': { version: '1.0.0' },
  };
  expect([...listLockedDependencies(packages, ['packages/cli'])].toSorted()).toEqual([
    'cli@0.1.0',
    'client@0.1.0',
    'deep@1.0.0',
    'zod@4.0.0',
  ]);
});

test('finds install scripts that package.json does not allow', async () => {
  const locked = {
    'node_modules/allowed': { hasInstallScript: true },
    'node_modules/a/node_modules/@scope/new': { hasInstallScript: true },
    'node_modules/other-platform': { hasInstallScript: true, os: ['none'] },
    'node_modules/quiet': {},
  };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ allowScripts: { allowed: true } }));
  expect(await findUnexpectedScripts(folder)).toEqual(['@scope/new']);
});

test('refuses a signing key in the repository', async () => {
  await mkdir(join(folder, 'repository'));
  const [inside, outside] = [join(folder, 'repository/key'), join(folder, 'key')];
  for (const file of [inside, outside]) await writeFile(file, '');
  await expect(requireKeyOutside(join(folder, 'repository'), inside)).rejects.toThrow('in the repository');
  await expect(requireKeyOutside(join(folder, 'repository'), outside)).resolves.toBeUndefined();
});

test('takes the notes of a version from the changelog', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0 - 2026-11-17\n\n### Added\n\n- first\n';
  expect(readNotes(changelog, 'Unreleased')).toBe('- new');
  expect(readNotes(changelog, '1.0.0')).toBe('### Added\n\n- first');
  expect(readNotes(changelog, '1.0')).toBeNull();
});
