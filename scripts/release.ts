import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { packPackage, publishedPackages } from './pack-packages.ts';
import type { BillOptions } from './release/bill-of-materials.ts';
import {
  addDebianPackages,
  limitTo,
  listInstalledPackages,
  listLockedDependencies,
  readLockedBill,
  serializeBill,
} from './release/bill-of-materials.ts';
import { buildDebianBase, describeMissingBuilder, listDebianPackages } from './release/debian-base.ts';
import { writeImage } from './release/image-layout.ts';
import { writeProvenance } from './release/provenance.ts';
import { readNotes } from './release/release-notes.ts';
import { compress, sha256, writeTar } from './release/reproducible-tar.ts';
import { buildServerTree, readImageStage } from './release/server-tree.ts';
import { createTemporaryKey, requireKeyOutside, signFile } from './release/signature.ts';
import { auditDependencies, findUnexpectedScripts } from './release/supply-chain.ts';

// Builds the files of a release from the current commit, and signs their checksums. It publishes nothing.
const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);
const platform = `${process.platform}-${process.arch}`;

interface Request {
  readonly version: string;
  readonly commit: string;
  /** Of the commit: the time of every file. */
  readonly epochSeconds: number;
  readonly out: string;
  readonly isDry: boolean;
}

const { values } = parseArgs({
  options: {
    dry: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, '.data/release') },
    key: { type: 'string' },
    unaudited: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`npm run release -- --key FILE [--out DIR] [--unaudited]
npm run release -- --dry [--key FILE] [--out DIR]

  --key        private SSH key outside the repository; without it, a dry run signs with a temporary one
  --out        an empty or new folder; .data/release
  --dry        also builds a commit that is not tagged, with the notes of “Unreleased”
  --unaudited  also builds if the registry does not answer which vulnerabilities are known`);
  process.exit(0);
}
await release().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function release(): Promise<void> {
  const request = await readRequest();
  const notes = await requireNotes(request);
  if (values.key !== undefined) await requireKeyOutside(root, resolve(values.key));
  else if (!request.isDry) throw new Error('--key is required: the private key that signs releases.');
  await checkSupplyChain(request);
  await mkdir(request.out, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'daybook-release-'));
  try {
    await build(request, folder);
    await writeFile(join(request.out, 'NOTES.md'), `${notes}\n`);
    const sums = await writeChecksums(request.out);
    const key = values.key === undefined ? await createTemporaryKey(folder) : resolve(values.key);
    await signFile(key, sums);
    console.log(await readFile(sums, 'utf8'));
    console.log(`signed by ${(await readFile(`${key}.pub`, 'utf8')).trim()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function git(...words: readonly string[]): Promise<string> {
  return (await run('git', ['-C', root, ...words])).stdout.trim();
}

async function readRequest(): Promise<Request> {
  if ((await git('status', '--porcelain')) !== '')
    throw new Error('The working copy has changes. Commit them, or build from a clean clone.');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const out = resolve(values.out);
  const present = await readdir(out).catch(() => []);
  if (present.length > 0) throw new Error(`${out} is not empty. Choose another folder with --out.`);
  const commit = await git('rev-parse', 'HEAD');
  if (!values.dry && !(await git('tag', '--points-at', commit)).split('\n').includes(`v${version}`))
    throw new Error(`This commit is not tagged v${version}. Tag it, or use --dry.`);
  const epochSeconds = Number(await git('show', '--no-patch', '--format=%ct', commit));
  return { version, commit, epochSeconds, out, isDry: values.dry };
}

async function requireNotes({ version, isDry }: Request): Promise<string> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const heading = isDry ? 'Unreleased' : version;
  const notes = readNotes(changelog, heading) ?? (isDry ? readNotes(changelog, version) : null);
  if (notes === null || notes === '') throw new Error(`CHANGELOG.md has no text under “${heading}”.`);
  return notes;
}

async function checkSupplyChain({ isDry }: Request): Promise<void> {
  const scripts = await findUnexpectedScripts(root);
  if (scripts.length > 0)
    throw new Error(
      `Packages with install scripts that allowScripts in package.json does not list: ${scripts.join(', ')}`,
    );
  const audit = await auditDependencies(root);
  if (audit.kind === 'unavailable') {
    console.error(`Known vulnerabilities are not checked: ${audit.reason}`);
    if (!isDry && !values.unaudited)
      throw new Error('Use a registry that answers `npm audit`, or --unaudited.');
    return;
  }
  for (const line of audit.found) console.error(`known vulnerability: ${line}`);
  if (audit.found.length > 0 && !isDry) throw new Error('Shipped packages have known vulnerabilities.');
}

async function build(request: Request, folder: string): Promise<void> {
  const { version, commit, epochSeconds, out } = request;
  const bill = (part: string): BillOptions => ({ name: `daybook-${part}`, version, epochSeconds });
  for (const name of publishedPackages) packPackage(name, out);
  const { source, tree } = await buildServerTree(root, commit, folder);
  const locked = await readLockedBill(source);
  const packages = limitTo(locked, await listPackageDependencies(source));
  const server = limitTo(locked, await listInstalledPackages(tree));
  const name = `daybook-${version}`;
  const archive = join(out, `${name}-server-${platform}.tar`);
  await writeTar(tree, archive, { epochSeconds, prefix: name });
  await compress(archive);
  await writeFile(join(out, `${name}-packages.cdx.json`), serializeBill(packages, bill('packages')));
  await writeFile(join(out, `${name}-server.cdx.json`), serializeBill(server, bill('server')));
  const stage = await readImageStage(source);
  const suite = /-(\w+)-slim$/.exec(stage.base)?.[1] ?? 'stable';
  const missing = describeMissingBuilder();
  const base = join(folder, 'base.tar');
  if (missing === null) {
    await buildDebianBase(suite, base, epochSeconds);
    const image = addDebianPackages(server, suite, await listDebianPackages(base));
    await writeFile(join(out, `${name}-image.cdx.json`), serializeBill(image, bill('image')));
    const file = join(out, `${name}-image-${platform}.oci.tar`);
    await writeImage(folder, file, { tree, base, stage, version, epochSeconds });
  } else {
    console.error(`No image is built: ${missing}`);
    if (!request.isDry) throw new Error('Install the Debian package mmdebstrap.');
  }
  const provenance = writeProvenance({
    version,
    commit,
    lockfile: await sha256(join(source, 'package-lock.json')),
    base: missing === null ? { suite, sha256: await sha256(base) } : null,
    tools: readToolVersions(),
    subjects: await readSubjects(out),
  });
  await writeFile(join(out, `${name}-provenance.intoto.json`), provenance);
}

async function listPackageDependencies(source: string): Promise<ReadonlySet<string>> {
  const { packages } = JSON.parse(await readFile(join(source, 'package-lock.json'), 'utf8')) as {
    readonly packages: Parameters<typeof listLockedDependencies>[0];
  };
  const folders = publishedPackages.map((name) => `packages/${name}`);
  return listLockedDependencies(packages, folders);
}

async function readSubjects(out: string): Promise<readonly { name: string; sha256: string }[]> {
  const names = (await readdir(out)).sort();
  return Promise.all(names.map(async (name) => ({ name, sha256: await sha256(join(out, name)) })));
}

function readToolVersions(): Readonly<Record<string, string>> {
  const version = (program: string): string =>
    /\d+(?:\.\d+)+/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? '';
  const tools = ['npm', 'tar', 'gzip', 'mmdebstrap'].map((program) => [program, version(program)] as const);
  return Object.fromEntries([['node', process.versions.node], ...tools].filter(([, text]) => text !== ''));
}

/** In the form that `sha256sum --check` reads. */
async function writeChecksums(out: string): Promise<string> {
  const lines = (await readSubjects(out)).map(({ name, sha256: hash }) => `${hash}  ${basename(name)}`);
  const file = join(out, 'SHA256SUMS');
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}
