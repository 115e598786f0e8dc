import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const mirror = 'http://deb.debian.org/debian';

export interface DebianBase {
  /** Of the folder below `.data/machines`: one per choice of packages. */
  readonly name: string;
  readonly suite: 'trixie' | 'forky';
  readonly packages: readonly string[];
}

/** The files of a Debian, built once and stored below `.data`; not to be changed. */
export async function prepareDebian(root: string, { name, suite, packages }: DebianBase): Promise<string> {
  const folder = join(root, '.data/machines', name);
  const [present] = await readdir(folder).catch(() => []);
  if (present !== undefined) return folder;
  await mkdir(join(root, '.data/machines'), { recursive: true });
  const building = await mkdtemp(join(root, '.data/machines/building-'));
  await promisify(execFile)(
    'debootstrap',
    ['--variant=minbase', `--include=${packages.join()}`, suite, building, mirror],
    { maxBuffer: 2 ** 26 },
  );
  await rename(building, folder);
  return folder;
}
