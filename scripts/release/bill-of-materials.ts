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

/**
 * Every package of the lockfile, with its hash. Not `--omit=dev`: npm then also omits packages that are dependencies of
 * one workspace and development dependencies of another.
 */
export async function readLockedBill(root: string): Promise<BillOfMaterials> {
  const { stdout } = await run(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
    { cwd: root, env: npmEnvironment(), maxBuffer: 2 ** 28 },
  );
  return JSON.parse(stdout) as BillOfMaterials;
}

/** Limits the document to these packages, named as `name@version`. Refuses one that the lockfile does not name. */
export function limitTo(bill: BillOfMaterials, shipped: ReadonlySet<string>): BillOfMaterials {
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

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** What npm installs with these workspaces, by the lockfile: they, their dependencies, and so on. */
export function listLockedDependencies(
  packages: Readonly<Record<string, LockedPackage>>,
  workspaces: readonly string[],
): ReadonlySet<string> {
  const places = new Set<string>();
  const add = (place: string): void => {
    const { link, resolved = '', dependencies = {} } = packages[place] ?? {};
    if (link === true) add(resolved);
    else if (!places.has(place)) {
      places.add(place);
      for (const name of Object.keys(dependencies)) add(findLocked(packages, place, name));
    }
  };
  workspaces.forEach(add);
  return new Set(
    [...places].map((place) => {
      const { name = place.slice(place.lastIndexOf('node_modules/') + 13), version } = packages[place] ?? {};
      return `${name}@${version}`;
    }),
  );
}

/** As Node resolves a name: in the folder of the package, then in those above it. */
function findLocked(packages: Readonly<Record<string, LockedPackage>>, from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') throw new Error(`package-lock.json has no ${name} for ${from}`);
  }
}

/** Every package in the tree, as `name@version`. */
export async function listInstalledPackages(tree: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const folders = '{node_modules,{node_modules,apps,packages}/**/node_modules}';
  // Workspaces are links in `node_modules`, which a pattern does not follow.
  const patterns = [`${folders}/{*,@*/*}/package.json`, '{apps,packages}/*/package.json'];
  for await (const file of glob(patterns, { cwd: tree })) {
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
