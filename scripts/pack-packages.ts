import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// In the workspace a package's exports point to its sources, so that it runs, tests and type-checks without a build.
// Published packages point to `dist` only: this script converts the one into the other.
const root = fileURLToPath(new URL('../', import.meta.url));

/** The published packages, each after its dependencies. */
export const publishedPackages = ['client', 'grounding', 'login', 'mcp', 'cli', 'migrate'] as const;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: string | Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const workspaceFields = new Set(['private', 'scripts', 'devDependencies']);

export function publishedManifest(manifest: Manifest): Record<string, unknown> {
  const entries = typeof manifest.exports === 'string' ? { '.': manifest.exports } : manifest.exports;
  const exports = Object.fromEntries(
    Object.entries(entries).map(([entry, source]) => {
      const built = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
      return [entry, { types: `${built}.d.ts`, default: `${built}.js` }];
    }),
  );
  const published = Object.entries(manifest).filter(([field]) => !workspaceFields.has(field));
  return {
    ...Object.fromEntries(published),
    exports: { ...exports, './package.json': './package.json' },
    files: ['dist', 'CHANGELOG.md'],
    publishConfig: { access: 'public' },
  };
}

/** Builds a package and packs it for publication. Returns the path of the tarball. */
export function packPackage(name: string, into: string): string {
  const folder = join(root, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const published = publishedManifest(manifest);
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  const stage = mkdtempSync(join(tmpdir(), 'daybook-pack-'));
  try {
    cpSync(join(folder, 'dist'), join(stage, 'dist'), { recursive: true });
    for (const text of ['README.md', 'CHANGELOG.md']) copyFileSync(join(folder, text), join(stage, text));
    copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    requireFiles(stage, published);
    requireChanges(stage, manifest);
    mkdirSync(into, { recursive: true });
    const answer = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
      cwd: stage,
      encoding: 'utf8',
    });
    const [packed] = JSON.parse(answer) as readonly { readonly filename: string }[];
    return join(into, (packed?.filename ?? '').replace('@', '').replace('/', '-'));
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Detects an export map that points out of the tarball before it is published. */
function requireFiles(stage: string, { name, exports, bin = {} }: Record<string, unknown>): void {
  const missing = stringsOf([exports, bin]).filter((path) => !existsSync(join(stage, path)));
  if (missing.length > 0) throw new Error(`${String(name)}: not in the tarball: ${missing.join(', ')}`);
}

function requireChanges(stage: string, { name, version }: Manifest): void {
  const headings = readFileSync(join(stage, 'CHANGELOG.md'), 'utf8').split('\n');
  if (!headings.includes(`## ${version}`))
    throw new Error(`${name}: CHANGELOG.md does not say what changed in ${version}`);
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

if (process.argv[1] === import.meta.filename) {
  const into = join(root, '.data/packages');
  rmSync(into, { recursive: true, force: true });
  const registry = process.argv.includes('--publish') ? process.argv.slice(3) : null;
  for (const name of publishedPackages) {
    const tarball = packPackage(name, into);
    console.log(`packed ${tarball.slice(dirname(into).length + 1)}`);
    if (registry !== null)
      execFileSync('npm', ['publish', tarball, ...registry], { stdio: ['ignore', 'inherit', 'inherit'] });
  }
}
