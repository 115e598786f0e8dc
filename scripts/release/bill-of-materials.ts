import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DebianPackage } from './debian-base.ts';
import { npmEnvironment } from './server-tree.ts';

const run = promisify(execFile);

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A CycloneDX document. */
export interface BillOfMaterials {
  readonly metadata: { readonly component: Component; readonly [field: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [field: string]: unknown;
}

export interface BillOptions {
  readonly name: string;
  readonly version: string;
  readonly epochSeconds: number;
}

/** The packages that `npm ci` installs for these workspaces without development dependencies, with their hashes. */
export async function readLockedBill(
  source: string,
  workspaces: readonly string[],
): Promise<BillOfMaterials> {
  const { stdout } = await run(
    'npm',
    [
      'sbom',
      '--package-lock-only',
      '--omit=dev',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
      ...workspaces.map((name) => `--workspace=${name}`),
      '--include-workspace-root',
    ],
    { cwd: source, env: npmEnvironment(), maxBuffer: 2 ** 28 },
  );
  return JSON.parse(stdout) as BillOfMaterials;
}

/** Removes packages of other platforms. Refuses a package of the tree that the document does not list. */
export async function limitToTree(bill: BillOfMaterials, tree: string): Promise<BillOfMaterials> {
  const shipped = await listInstalledPackages(tree);
  const known = new Set(bill.components.map((component) => component['bom-ref']));
  const unknown = [...shipped].filter((ref) => !known.has(ref));
  if (unknown.length > 0)
    throw new Error(`packages that package-lock.json does not name: ${unknown.join(', ')}`);
  const components = bill.components.filter((component) => shipped.has(component['bom-ref']));
  const root = bill.metadata.component['bom-ref'];
  const isThere = (ref: string): boolean => ref === root || shipped.has(ref);
  const dependencies = bill.dependencies
    .filter(({ ref }) => isThere(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isThere) }));
  return { ...bill, components, dependencies };
}

async function listInstalledPackages(tree: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const folders = '{node_modules,{node_modules,apps,packages}/**/node_modules}';
  for await (const file of glob(`${folders}/{*,@*/*}/package.json`, { cwd: tree })) {
    const { name, version } = JSON.parse(await readFile(join(tree, file), 'utf8')) as {
      readonly name?: string;
      readonly version?: string;
    };
    if (name !== undefined && version !== undefined) found.add(`${name}@${version}`);
  }
  return found;
}

export function addDebianPackages(
  bill: BillOfMaterials,
  suite: string,
  packages: readonly DebianPackage[],
): BillOfMaterials {
  const components = packages.map(({ name, version, architecture }) => {
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${suite}`;
    return { 'bom-ref': purl, type: 'library', name, version, purl };
  });
  return { ...bill, components: [...bill.components, ...components] };
}

/** The same content gives the same document: npm's has a random number, the time and the name of the folder. */
export function serializeBill(bill: BillOfMaterials, { name, version, epochSeconds }: BillOptions): string {
  const document = {
    ...bill,
    serialNumber: '',
    metadata: {
      ...bill.metadata,
      timestamp: new Date(epochSeconds * 1_000).toISOString(),
      component: { ...bill.metadata.component, name, version },
    },
    components: bill.components.map((component) => ({ ...component, name: nameOf(component) })),
  };
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(13, 16),
    hash.slice(17, 20),
    hash.slice(20, 32),
  ];
  return `${JSON.stringify({ ...document, serialNumber: `urn:uuid:${a}-${b}-8${c}-8${d}-${e}` }, null, 2)}\n`;
}

/** npm names a workspace after its folder. */
function nameOf(component: Component): string {
  const reference = component['bom-ref'];
  return reference.startsWith('pkg:') ? component.name : reference.slice(0, reference.lastIndexOf('@'));
}
