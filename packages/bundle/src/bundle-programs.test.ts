import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { bundlePrograms, bundleTree, findBundle } from './bundle-programs.ts';

const files = {
  'apps/server/package.json': `{ "dependencies": { "inside": "1.0.0" } }`,
  'node_modules/inside/package.json': `{ "name": "inside", "main": "index.js" }`,
  'node_modules/inside/index.js': `
    module.exports.folder = __dirname;
    module.exports.file = __filename;
    module.exports.separator = require('node:path').sep;`,
  'node_modules/outside/package.json': `{ "name": "outside", "type": "module", "exports": "./index.js" }`,
  'node_modules/outside/index.js': `export const address = import.meta.url;`,
  'src/parent.ts': `
    import { readFileSync } from 'node:fs';
    import { execFileSync } from 'node:child_process';
    import { fileURLToPath } from 'node:url';
    import { Worker } from 'node:worker_threads';
    import { once } from 'node:events';
    import { file, folder } from 'inside';
    import { address } from 'outside';
    class NamedError extends Error {}
    const text: string = readFileSync(new URL('./beside.txt', import.meta.url), 'utf8');
    const program = fileURLToPath(new URL('./child.ts', import.meta.url));
    const child = execFileSync(process.execPath, [program], { encoding: 'utf8' });
    const [thread] = await once(new Worker(new URL('./thread.ts', import.meta.url)), 'message');
    console.log(JSON.stringify({ text, child, thread, file, folder, address, name: NamedError.name }));`,
  'src/beside.txt': 'beside the source',
  'src/child.ts': `import { basename } from 'node:path'; process.stdout.write(basename(process.argv[1]!));`,
  'src/thread.ts': `
    import { basename } from 'node:path';
    import { parentPort } from 'node:worker_threads';
    parentPort!.postMessage(basename(import.meta.filename));`,
};

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'daybook-bundle-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
});
afterAll(() => rm(root, { recursive: true }));

const bundle = (): Promise<(program: string) => string> =>
  bundlePrograms({ root, programs: [join(root, 'src/parent.ts')] });

test('resolves files next to the source of a bundled program and starts the bundled form of other programs', async () => {
  const bundled = await bundle();
  const { stdout } = await promisify(execFile)(process.execPath, [bundled(join(root, 'src/parent.ts'))]);
  expect(JSON.parse(stdout)).toEqual({
    text: 'beside the source',
    child: 'src.child.mjs',
    thread: 'src.thread.mjs',
    file: join(root, 'node_modules/inside/index.js'),
    folder: join(root, 'node_modules/inside'),
    address: `file://${join(root, 'node_modules/outside/index.js')}`,
    name: 'NamedError',
  });
});

test('uses the same folder for the same sources and removes a bundle that was unused for a day', async () => {
  const program = join(root, 'src/parent.ts');
  const first = dirname((await bundle())(program));
  expect(dirname((await bundle())(program))).toBe(first);
  const old = join(dirname(first), 'an-old-bundle');
  await mkdir(old);
  const dayBefore = new Date(Date.now() - 90_000_000);
  await utimes(old, dayBefore, dayBefore);
  // Written again as it was: the bundle is made again, with the same content.
  await writeFile(join(root, 'src/child.ts'), files['src/child.ts']);
  await bundle();
  const left = (await readdir(dirname(first))).filter((name) => !name.endsWith('.json'));
  expect(left).toEqual([basename(first)]);
});

test('reuses a bundle until one of its sources or an installed package changes', async () => {
  const options = { root, programs: [join(root, 'src/parent.ts')] };
  const folderOf = async (): Promise<string | undefined> =>
    (await findBundle(options))?.(options.programs[0] ?? '');
  for (const path of ['src/thread.ts', 'node_modules/.package-lock.json']) {
    const bundled = await bundle();
    expect(await folderOf()).toBe(bundled(join(root, 'src/parent.ts')));
    await writeFile(join(root, path), '// changed');
    expect(await folderOf()).toBeUndefined();
    await writeFile(join(root, path), files[path as keyof typeof files] ?? '');
  }
});

test('a bundle of a tree that may be moved contains no address of the tree or of the working folder', async () => {
  const folder = dirname(await bundleTree(root, join(root, 'src/parent.ts')));
  const names = await readdir(folder);
  expect(names.length).toBeGreaterThan(3);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  expect(texts.join('\n')).toContain('createRequire');
  for (const place of [root, process.cwd()])
    expect(names.filter((_, at) => texts[at]?.includes(`${place}/`))).toEqual([]);
});
