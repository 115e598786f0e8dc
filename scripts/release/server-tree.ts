import { execFile } from 'node:child_process';
import { cp, glob, lstat, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { bundleTree } from '@daybook/bundle';

import type { ImageStage } from '../../apps/server/test/deployment/dockerfile-check.ts';
import { readStages } from '../../apps/server/test/deployment/dockerfile-check.ts';
import { exportSource } from './source-tree.ts';

const run = promisify(execFile);

/** Source maps count columns in code that contains the path of the tree: each build uses a path of this length. */
const sourcePathLength = 120;
/** What an installation needs beside the files of the image. */
const beside = ['LICENSE', 'CHANGELOG.md', 'bin', 'deploy'];
const install = ['--omit=dev', '--workspace=@daybook/server', '--ignore-scripts'];
/** The pinned Node, an optional dependency of the workspace: with the workspace, npm would install all others. */
const node = `node_modules/node-${process.platform}-${process.arch}`;

/** The last stage of the Dockerfile: the files and settings of the image. */
export async function readImageStage(root: string): Promise<ImageStage> {
  const stage = readStages(await readFile(join(root, 'deploy/Dockerfile'), 'utf8')).at(-1);
  if (stage === undefined) throw new Error('deploy/Dockerfile has no stage');
  return stage;
}

export interface ServerTree {
  /** The commit with the dependencies of the server. */
  readonly source: string;
  /** What is shipped. */
  readonly tree: string;
}

/**
 * The server with its dependencies, Node and its bundle, from the files of a commit. It has no compile cache: Node's
 * differs from build to build.
 */
export async function buildServerTree(root: string, commit: string, folder: string): Promise<ServerTree> {
  const source = join(folder, 'daybook'.padEnd(sourcePathLength - folder.length, '-'));
  const tree = join(folder, 'tree');
  await exportSource(root, commit, source);
  await run('npm', ['ci', ...install], { cwd: source, env: npmEnvironment(), maxBuffer: 2 ** 26 });
  await cp(join(root, node), join(source, node), { recursive: true });
  await bundleTree(source, join(source, 'apps/server/src/bin/daybook.ts'));
  const { copies } = await readImageStage(source);
  const paths = ['node_modules', 'bundle', ...beside, ...copies.flatMap(({ sources }) => sources)];
  for (const path of new Set(paths)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await cp(join(source, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  }
  for await (const file of glob('{apps,packages}/**/*.test.ts', { cwd: tree })) await rm(join(tree, file));
  await removeDanglingLinks(tree);
  return { source, tree };
}

/** npm links every workspace that it read; some are not shipped. */
async function removeDanglingLinks(tree: string): Promise<void> {
  for await (const path of glob('node_modules/{.bin,@daybook}/*', { cwd: tree })) {
    const link = join(tree, path);
    const isDangling = (await lstat(link)).isSymbolicLink() && (await stat(link).catch(() => null)) === null;
    if (isDangling) await rm(link);
  }
}

/** Without the variables of `npm run`, which would take precedence over the working folder. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}
