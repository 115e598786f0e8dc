import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What npm writes when it installs: all packages that a bundle may contain. */
const installed = 'node_modules/.package-lock.json';

const bundlerFolder = fileURLToPath(new URL('.', import.meta.url));

interface RecordedBundle {
  readonly folder: string;
  /** Size and time of the last change of each source file, by its path. */
  readonly sources: Readonly<Record<string, string>>;
}

const recordOf = (parent: string, programs: readonly string[]): string =>
  join(parent, `${createHash('sha256').update(programs.join('\n')).digest('hex').slice(0, 16)}.json`);

/** Records from which sources a bundle of these programs was made. */
export async function recordInputs(
  { root, programs }: { readonly root: string; readonly programs: readonly string[] },
  parent: string,
  folder: string,
  modules: readonly string[],
): Promise<void> {
  const own = modules.filter((id) => id.startsWith(root) && !id.includes('/node_modules/'));
  const bundler = readdirSync(bundlerFolder).map((file) => join(bundlerFolder, file));
  const paths = [...[...own, ...bundler].map((id) => relative(root, id)), installed];
  const record: RecordedBundle = {
    folder,
    sources: Object.fromEntries(paths.map((path) => [path, stateOf(root, path)])),
  };
  const file = recordOf(parent, programs);
  await writeFile(`${file}.${process.pid}`, JSON.stringify(record));
  await rename(`${file}.${process.pid}`, file);
}

/** The folder of the last bundle of these programs, if no source of it has changed since. */
export async function unchangedBundle(
  { root, programs }: { readonly root: string; readonly programs: readonly string[] },
  parent: string,
): Promise<string | null> {
  const file = recordOf(parent, programs);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const { folder, sources } = JSON.parse(text) as RecordedBundle;
  if (stateOf('', folder) === '') return null;
  if (Object.entries(sources).some(([path, state]) => stateOf(root, path) !== state)) return null;
  const nowSeconds = (performance.timeOrigin + performance.now()) / 1_000;
  for (const used of [file, folder]) await utimes(used, nowSeconds, nowSeconds);
  return folder;
}

function stateOf(root: string, path: string): string {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.size} ${found.mtimeMs}`;
}
