// The imports that ARCHITECTURE.md allows. `scripts/check.ts` also asserts that modules were read: without a parser for
// the installed TypeScript this tool reads none and reports success.
const { domainImports, folderLayers } = require('./.dependency-order.cjs');

const domain =
  '^apps/server/src/(news|ingest|newsroom|mailing|audit|identity|access|storage|agents|site|record)/';

const domainRules = Object.entries(domainImports).map(([name, others]) => ({
  name: `${name}-imports`,
  comment: `${name} may import ${others.join(', ') || 'no other domain'}`,
  severity: 'error',
  from: { path: `^apps/server/src/${name}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^apps/server/(src|test)/', pathNot: [`^apps/server/src/(${[name, ...others].join('|')})/`] },
}));

/** A folder may import itself, the files beside the folders, and the folders of lower layers. */
const folderRules = Object.entries(folderLayers).flatMap(([name, layers]) =>
  layers.flatMap((layer, at) =>
    layer.map((folder) => ({
      name: `${name}-folder-order`,
      comment: `${name}/${folder} may import ${layers.slice(0, at).flat().join(', ') || 'no other folder'}`,
      severity: 'error',
      from: { path: `^apps/server/src/${name}/${folder}/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: `^apps/server/src/${name}/([^/]+/|index\\.ts$)`,
        pathNot: [`^apps/server/src/${name}/(${[folder, ...layers.slice(0, at).flat()].join('|')})/`],
      },
    })),
  ),
);

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...domainRules,
    ...folderRules,
    {
      name: 'domains-through-index',
      comment:
        'a domain is imported only through an index.ts of it, or through the wiring.ts it has for processes',
      severity: 'error',
      from: { path: '^apps/server/src/([^/]+)', pathNot: '\\.test\\.ts$' },
      to: { path: domain, pathNot: ['^apps/server/src/$1/', '^apps/server/src/.+/(index|wiring)\\.ts$'] },
    },
    {
      name: 'domain-wiring-for-processes',
      comment: 'the wiring.ts of a domain is for api.ts, worker.ts, wiring and the commands',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: '^apps/server/src/((bin|wiring)/|(api|worker)\\.ts$)|\\.test\\.ts$',
      },
      to: { path: `${domain}wiring\\.ts$` },
    },
    {
      name: 'wiring-is-for-bin',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: '^apps/server/src/(bin|wiring)/' },
      to: { path: '^apps/server/src/(api|worker)\\.ts$|^apps/server/src/(bin|wiring)/' },
    },
    {
      name: 'only-stores-speak-sql',
      comment: 'in a domain, the driver and the query builder are for *-store.ts alone',
      severity: 'error',
      from: { path: domain, pathNot: '(-store|\\.test)\\.ts$' },
      to: { path: '^(pg|kysely)$|node_modules/(pg|kysely)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-stand-alone',
      comment: 'what strangers install depends on nothing internal',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: '^packages/(cli|mcp)/' },
      to: { path: '^(apps|packages|bench|prove)/', pathNot: ['^packages/$1/'] },
    },
    {
      name: 'cli-on-published-packages',
      comment: 'the program of readers is made of the packages that others may install too',
      severity: 'error',
      from: { path: '^packages/cli/' },
      to: { path: '^(apps|packages|bench|prove)/', pathNot: ['^packages/(cli|client|grounding|login|mcp)/'] },
    },
    {
      name: 'mcp-on-client',
      comment: 'agents read what any program reads, by the same client',
      severity: 'error',
      from: { path: '^packages/mcp/' },
      to: { path: '^(apps|packages|bench|prove)/', pathNot: ['^packages/(mcp|client)/'] },
    },
    {
      name: 'server-is-not-a-test',
      comment: 'what is shipped never imports tests, benchmarks or proofs',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(bench|prove|scripts)/|/test/|\\.test\\.ts$' },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    exclude: { path: '(^|/)(node_modules|\\.data|dist)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
