import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { OutputAsset, OutputChunk } from 'rolldown';
import { rolldown } from 'rolldown';

import { recordInputs, unchangedBundle } from './bundle-inputs.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { outsidePackages } from './outside-packages.ts';
import { bundledName, ownAddresses } from './own-addresses.ts';
import { relocatable } from './relocatable.ts';

export interface BundleOptions {
  /** Of the repository. */
  readonly root: string;
  /** Source files, each of which becomes a file that can be run or imported. */
  readonly programs: readonly string[];
  /** Whether the tree may be moved: the bundle is then in a folder directly below the root. */
  readonly isRelocatable?: boolean;
}

/** A bundle gets a folder of its own in here, named after its content. */
const place = 'node_modules/.cache/bundles';

/** Bundles that no run has used for this long are removed. */
const unusedForMs = 86_400_000;

/**
 * Bundles the programs and all that they start with `new Worker(new URL('….ts', import.meta.url))` or name with
 * `fileURLToPath(new URL('….ts', import.meta.url))`. Returns the path of a program's bundled form.
 */
export async function bundlePrograms(options: BundleOptions): Promise<(program: string) => string> {
  const found = await findBundle(options);
  if (found !== null) return found;
  const bundler = fileURLToPath(new URL('bundle-process.ts', import.meta.url));
  // In a process of its own: a child that measures its memory would start with the gigabyte that the bundler needs.
  const { stdout: folder } = await promisify(execFile)(process.execPath, [bundler, JSON.stringify(options)]);
  return (program) => join(folder, bundledName(options.root, program));
}

/** The same without bundling: null where a source has changed since these programs were bundled last. */
export async function findBundle(options: BundleOptions): Promise<((program: string) => string) | null> {
  const folder = await unchangedBundle(options, join(options.root, place));
  return folder === null ? null : (program) => join(folder, bundledName(options.root, program));
}

/** Returns the folder of the bundle. */
export async function writeBundle(options: BundleOptions): Promise<string> {
  const { output, modules } = await generateBundle(options);
  const hash = createHash('sha256');
  for (const { fileName, content } of output) hash.update(`${fileName}\n${content.length}\n`).update(content);
  const parent = join(options.root, place);
  const folder = join(parent, hash.digest('hex').slice(0, 16));
  await mkdir(parent, { recursive: true });
  if (!existsSync(folder)) await writeFiles(parent, folder, output);
  await recordInputs(options, parent, folder, modules);
  const nowMs = performance.timeOrigin + performance.now();
  await utimes(folder, nowMs / 1_000, nowMs / 1_000);
  await removeUnused(parent, nowMs - unusedForMs);
  return folder;
}

interface BundledFile {
  readonly fileName: string;
  readonly content: string | Uint8Array;
}

interface Bundle {
  readonly output: readonly BundledFile[];
  /** Addresses of all source files in it. */
  readonly modules: readonly string[];
}

async function generateBundle({ root, programs, isRelocatable = false }: BundleOptions): Promise<Bundle> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((program) => [bundledName(root, program), program])),
    platform: 'node',
    // Missing optional dependencies of packages are not logged.
    logLevel: 'silent',
    external: /^node:/,
    plugins: [
      lazyBuiltins(),
      outsidePackages(await serverPackages(root)),
      ownAddresses(root),
      ...(isRelocatable ? [relocatable(root)] : []),
    ],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    sourcemap: true,
    // Names of errors and functions are part of the behaviour.
    keepNames: true,
    entryFileNames: '[name]',
    // The hash depends on the addresses of the tree.
    chunkFileNames: isRelocatable ? '[name].mjs' : '[name]-[hash].mjs',
  });
  const modules = await bundle.watchFiles;
  await bundle.close();
  return {
    modules,
    output: output.map((file: OutputChunk | OutputAsset) => ({
      fileName: file.fileName,
      content:
        file.type === 'chunk' ? file.code : isRelocatable ? withoutRoot(file.source, root) : file.source,
    })),
  };
}

/** Source maps contain addresses too. */
function withoutRoot(source: string | Uint8Array, root: string): string {
  return Buffer.from(source)
    .toString()
    .replaceAll(root, root.endsWith('/') ? '/' : '');
}

/** Bundles a program into the folder `bundle` of a tree that may be moved. Returns its bundled form. */
export async function bundleTree(root: string, program: string): Promise<string> {
  const folder = join(root, 'bundle');
  const { output } = await generateBundle({ root, programs: [program], isRelocatable: true });
  await writeOutput(folder, output);
  return join(folder, bundledName(root, program));
}

/** Packages of an installation; other packages are only for suites. */
async function serverPackages(root: string): Promise<ReadonlySet<string>> {
  const source = await readFile(join(root, 'apps/server/package.json'), 'utf8');
  const { dependencies } = JSON.parse(source) as { readonly dependencies: Readonly<Record<string, string>> };
  return new Set(Object.keys(dependencies));
}

async function writeOutput(folder: string, output: readonly BundledFile[]): Promise<void> {
  for (const { fileName, content } of output) {
    const file = join(folder, fileName);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** Appears whole or not at all: two runs may bundle at once. */
async function writeFiles(parent: string, folder: string, output: readonly BundledFile[]): Promise<void> {
  const building = await mkdtemp(join(parent, 'building-'));
  await writeOutput(building, output);
  await rename(building, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(building, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

async function removeUnused(parent: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const found = await stat(folder).catch(() => null);
    if (found !== null && found.mtimeMs < beforeMs) await rm(folder, { recursive: true, force: true });
  }
}
