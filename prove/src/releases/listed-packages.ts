import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a bill of materials and another program list differently. */
export async function compareWithNpm(bill: string, tree: string): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['ls', '--all', '--parseable', '--long'], {
    cwd: tree,
    maxBuffer: 2 ** 26,
  }).catch(({ stdout: printed = '' }: { readonly stdout?: string }) => ({ stdout: printed }));
  const [root, ...installed] = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(':')[1] ?? '');
  if (root === undefined) throw new Error('npm lists no package');
  return difference(await readListed(bill, 'pkg:npm/'), new Set(installed));
}

export async function compareWithDpkg(bill: string, rootfs: string): Promise<readonly string[]> {
  const words = [
    '--admindir',
    `${rootfs}/var/lib/dpkg`,
    '--show',
    '--showformat',
    '${Package}@${Version}\\n',
  ];
  const { stdout } = await run('dpkg-query', words);
  return difference(await readListed(bill, 'pkg:deb/'), new Set(stdout.trim().split('\n')));
}

async function readListed(bill: string, kind: string): Promise<ReadonlySet<string>> {
  const filter = '.components[] | select(.purl | startswith($kind)) | .name + "@" + .version';
  const { stdout } = await run('jq', ['--raw-output', '--arg', 'kind', kind, filter, bill]);
  return new Set(stdout.trim().split('\n'));
}

function difference(listed: ReadonlySet<string>, found: ReadonlySet<string>): readonly string[] {
  return [
    ...[...listed.difference(found)].map((name) => `listed and not shipped: ${name}`),
    ...[...found.difference(listed)].map((name) => `shipped and not listed: ${name}`),
  ];
}
