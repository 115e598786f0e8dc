import { globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseSync } from '@swc/core';

// Prints how many pairs of folders import each other inside each domain with an order of folders, every allowed import
// between domains that no file uses, and every index.ts that exports too many names. Exits with 1 if it finds any.
const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'apps/server/src');
const { domainImports, folderLayers } = createRequire(import.meta.url)('../.dependency-order.cjs') as {
  readonly domainImports: Readonly<Record<string, readonly string[]>>;
  readonly folderLayers: Readonly<Record<string, readonly (readonly string[])[]>>;
};

/** Every import of a file of the domain, both as paths below its folder; those of other domains begin with `..`. */
function importsOf(domain: string): [from: string, to: string][] {
  const folder = join(source, domain);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(folder, file), 'utf8').matchAll(/from '(\.[^']+)'/gu),
        ([, path = '']) =>
          [file, relative(folder, join(folder, dirname(file), path))] satisfies [string, string],
      ),
    );
}

function mutualPairs(domain: string): string[] {
  const edges = new Set(
    importsOf(domain)
      .filter((paths) => paths.every((path) => path.includes('/') && !path.startsWith('..')))
      .map((paths) => paths.map((path) => path.split('/')[0]))
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => `${from} ${to}`),
  );
  return [...edges].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ');
    return from < to && edges.has(`${to} ${from}`);
  });
}

const exportedNamesMax = 15;

/** Types count too. A namespace is one name; `export *` has the names of its file. */
function countExportedNames(file: string): number {
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' });
  return body.reduce((count, part) => {
    if (part.type === 'ExportAllDeclaration')
      return count + countExportedNames(join(dirname(file), part.source.value));
    if (part.type === 'ExportNamedDeclaration') return count + part.specifiers.length;
    if (part.type === 'ExportDeclaration' && part.declaration.type === 'VariableDeclaration')
      return count + part.declaration.declarations.length;
    return part.type.startsWith('Export') ? count + 1 : count;
  }, 0);
}

const found: string[] = [];
for (const domain of Object.keys(folderLayers)) {
  const pairs = mutualPairs(domain);
  console.log(`${domain}: ${pairs.length} pairs of folders import each other`);
  found.push(...pairs.map((pair) => `${domain}: ${pair.replace(' ', ' and ')} import each other`));
}
for (const [domain, others] of Object.entries(domainImports)) {
  const used = new Set(importsOf(domain).map(([, path]) => /^\.\.\/([^/]+)\//u.exec(path)?.[1]));
  found.push(
    ...others.filter((other) => !used.has(other)).map((other) => `${domain} does not import ${other}`),
  );
}
for (const file of globSync('{apps,packages}/*/src/**/index.ts', { cwd: root })) {
  const count = countExportedNames(join(root, file));
  if (count > exportedNamesMax)
    found.push(`${file} exports ${count} names; at most ${exportedNamesMax} are allowed`);
}
console.log(
  found.length === 0
    ? 'every allowed import is used, and no index.ts exports too many names'
    : found.join('\n'),
);
process.exitCode = found.length === 0 ? 0 : 1;
