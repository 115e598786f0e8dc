import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { noBrowser } from '../../../apps/server/test/browser.ts';
import type { CheckReport, CheckWorld } from '../../../packages/client/test/client-checks.ts';
import { packPackage, publishedPackages } from '../../../scripts/pack-packages.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { fillRecord } from '../news/news-world.ts';
import type { RuntimeReport } from '../packages/check-runs.ts';
import { checkInBrowser, checkInProgram } from '../packages/check-runs.ts';
import { serveChecks } from '../packages/checks-server.ts';
import type { InstalledFolders } from '../packages/installed-folders.ts';
import { installByName, installTarballs, packageNames } from '../packages/installed-folders.ts';
import type { OutsidePrograms } from '../packages/outside-programs.ts';
import { emptyEnvironment, installOutsidePrograms } from '../packages/outside-programs.ts';
import type { StrictConsumer } from '../packages/strict-consumer.ts';
import { strictConsumer } from '../packages/strict-consumer.ts';
import { tarballFaults } from '../packages/tarball-faults.ts';

const execute = promisify(execFile);

/** The files that a page in a browser loads for each. */
const parts = {
  core: [
    'index.js',
    'attempt-limit.js',
    'client.js',
    'client-world.js',
    'connection-reports.js',
    'polite-fetch.js',
    'generated/news-api.js',
  ],
  mirror: [
    'hash-at-once.js',
    'mirror/copy-check.js',
    'mirror/index.js',
    'mirror/follow.js',
    'mirror/memory-store.js',
    'mirror/repair.js',
    'mirror/set-hash.js',
    'mirror/verify.js',
  ],
};
const entries = [
  '@daybook/client',
  '@daybook/client/accounts',
  '@daybook/client/log',
  '@daybook/client/log/append',
  '@daybook/client/log/epoch',
  '@daybook/client/log/proof',
  '@daybook/client/log/signing',
  '@daybook/client/mirror',
  '@daybook/client/mirror/indexed-db',
  '@daybook/client/mirror/json-lines',
  '@daybook/client/mirror/sqlite',
  '@daybook/client/platform',
  '@daybook/client/storage',
  '@daybook/client/types',
  '@daybook/client/watch',
  '@daybook/grounding',
  '@daybook/grounding/quotes',
  '@daybook/grounding/text',
  '@daybook/login',
  '@daybook/mcp',
  '@daybook/mcp/markdown',
  '@daybook/mcp/skill',
  '@daybook/mcp/stdio',
  '@daybook/cli',
  'daybook-migrate',
];
const programs = ['daybook', 'daybook-migrate', 'MigrateScan', 'MigrateApprove'];
const checkCount = 44;
const storeCheckCount = 11;

export const suite: Suite = {
  name: 'packages',
  nightly: true,
  summary:
    'Each published package installs by name, works in every supported runtime, type-checks strictly, and packs reproducibly.',
  promise:
    'Every published package is packed twice to the same bytes, passes publint and arethetypeswrong, is published to a registry (verdaccio) and installed from it by name into empty folders, where all its exports and programs work. One script of 44 checks of the client and its mirror, against a real Daybook and a server that misbehaves, passes in Node 22.13.0, 24.0.0 and the newest 22, 24 and 26, in Deno, in Bun and in Chromium as plain ES modules; what every store of the mirror must do passes there by JSON Lines and SQLite, and in Chromium by IndexedDB. All exports and programs of each package also work in the oldest Node that it declares. A program as strict as TypeScript can be told to be compiles under 5.9 and 7. The client brings no dependency; its core and its mirror are at most 6 KB each, compressed. A quick run installs the tarballs without a registry and leaves out the oldest versions, Node 22 and 24, Deno, Bun and TypeScript 5.9.',
  measuresNoTime: true,
  run: async (context) => {
    if (noBrowser !== null) {
      context.didNotRun(noBrowser);
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'prove-packages-'));
    try {
      const tarballs = publishedPackages.map((name) => packPackage(name, join(folder, 'first')));
      await reportTarballs(context, folder, tarballs);
      const outside = context.quick ? null : await installOutsidePrograms(context.root);
      const installed =
        outside === null
          ? await installTarballs(folder, tarballs)
          : await installByName(outside, folder, tarballs);
      await reportEntries(context, installed.everything);
      if (outside !== null) await reportOldestNodes(context, installed.everything, outside);
      const consumer = await reportConsumer(context, installed.everything, outside);
      await reportChecks(context, installed, consumer);
      reportClient(context, installed.everything);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function reportTarballs(
  { figure, note, quick }: SuiteContext,
  folder: string,
  tarballs: readonly string[],
): Promise<void> {
  figure({ name: 'packages', value: tarballs.length, unit: 'packages' });
  // The types of all of them take longer to judge than everything else together.
  const judged = quick ? tarballs.slice(0, 1) : tarballs;
  const faults: string[] = [];
  for (const tarball of judged) faults.push(...(await tarballFaults(tarball)));
  for (const fault of faults) note(fault);
  figure({ name: 'packages judged by publint and arethetypeswrong', value: judged.length, unit: 'packages' });
  figure({ name: 'faults they found', value: faults.length, unit: 'faults', goal: { exactly: 0 } });
  const again = publishedPackages
    .slice(0, judged.length)
    .map((name) => packPackage(name, join(folder, 'second')));
  const others = again.filter((path, at) => hashOf(path) !== hashOf(tarballs[at] ?? ''));
  figure({
    name: `packed twice (${again.length} packages), other bytes`,
    value: others.length,
    unit: 'packages',
    goal: { exactly: 0 },
  });
}

/** Imports each and prints the message of those that cannot be. */
const importAll = `for (const entry of process.argv.slice(1))
  await import(entry).catch((error) => console.log(entry + ': ' + error.message));`;

async function reportEntries({ figure, note }: SuiteContext, folder: string): Promise<void> {
  const inFolder = { cwd: folder, env: emptyEnvironment() };
  const code = ['--input-type=module', '--eval', importAll];
  const { stdout } = await execute(process.execPath, [...code, ...entries], inFolder);
  const failed = stdout.split('\n').filter((line) => line !== '');
  for (const program of programs) {
    try {
      await execute(join(folder, 'node_modules/.bin', program), ['--help'], inFolder);
    } catch (error) {
      failed.push(`${program}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const one of failed) note(one);
  figure({ name: 'exports and programs', value: entries.length + programs.length, unit: 'entries' });
  figure({
    name: 'of these that do not work installed',
    value: failed.length,
    unit: 'entries',
    goal: { exactly: 0 },
  });
}

/** Of each package, in the oldest Node of its own `engines`. */
async function reportOldestNodes(
  { figure, note }: SuiteContext,
  folder: string,
  { oldestNodes }: OutsidePrograms,
): Promise<void> {
  let working = 0;
  for (const name of packageNames) {
    const place = join(folder, 'node_modules', name);
    const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
      readonly engines: { readonly node: string };
      readonly bin?: Readonly<Record<string, string>>;
    };
    const version = oldestOf(manifest.engines.node);
    const node = oldestNodes[version];
    const inFolder = { cwd: folder, env: emptyEnvironment() };
    const own = entries.filter((entry) => entry === name || entry.startsWith(`${name}/`));
    try {
      if (node === undefined) throw new Error(`Node ${version} is not installed`);
      const { stdout } = await execute(node, ['--input-type=module', '--eval', importAll, ...own], inFolder);
      if (stdout !== '') throw new Error(stdout);
      for (const program of Object.values(manifest.bin ?? {}))
        await execute(node, [join(place, program), '--help'], inFolder);
      working += 1;
    } catch (error) {
      note(`${name} in Node ${version}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  figure({
    name: 'packages that work in the oldest Node they declare',
    value: working,
    unit: 'packages',
    goal: { exactly: packageNames.length },
  });
}

/** `>=22.13` is 22.13.0. */
function oldestOf(range: string): string {
  const [, major = '', minor = '0', patch = '0'] = /^>=(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(range) ?? [];
  return `${major}.${minor}.${patch}`;
}

async function reportChecks(
  context: SuiteContext,
  installed: InstalledFolders,
  consumer: StrictConsumer,
): Promise<void> {
  const stage = await setNewsStage(context.root);
  const server = await serveChecks(installed.everything);
  try {
    await fillRecord(stage.factory, 60);
    const settings = { DAYBOOK_RATE_PER_MINUTE: '1000000' };
    const news = `http://127.0.0.1:${await stage.startApi(settings)}`;
    const world: CheckWorld = { checks: server.baseUrl, news };
    for (const { name, command, folder } of installed.runtimes) {
      consumer.writeChecks(folder);
      reportPassed(context, name, await checkInProgram(command, folder, world));
    }
    const inBrowser = await checkInBrowser(installed.everything, world);
    reportPassed(context, 'Chromium', inBrowser);
    const counted = new Set(Object.values(parts).flat());
    context.figure({
      name: 'files that the page loads beside those whose size is counted',
      value: inBrowser.loaded.filter((path) => !counted.has(path)).length,
      unit: 'files',
      goal: { exactly: 0 },
    });
  } finally {
    await server.close();
    await stage.remove();
  }
  if (context.quick)
    context.figure({
      name: 'left out in a quick run: registry, Node 22, Node 24, Deno, Bun, TypeScript 5.9',
      value: 6,
      unit: 'programs',
    });
}

function reportPassed(
  { figure, note }: SuiteContext,
  runtime: string,
  { script, stores }: RuntimeReport,
): void {
  const reportOne = (what: string, { passed, failed }: CheckReport, goal: number): void => {
    for (const one of failed) note(`${what}: ${one}`);
    figure({ name: `checks passed in ${what}`, value: passed, unit: 'checks', goal: { exactly: goal } });
  };
  reportOne(runtime, script, checkCount);
  for (const [store, report] of Object.entries(stores))
    reportOne(`${runtime} of a mirror in ${store}`, report, storeCheckCount);
}

async function reportConsumer(
  { figure, note, root }: SuiteContext,
  folder: string,
  outside: OutsidePrograms | null,
): Promise<StrictConsumer> {
  const consumer = strictConsumer(folder, root, entries);
  const compilers = {
    ...(outside !== null && { '5.9': outside.typescript59 }),
    '7': join(root, 'node_modules/typescript/bin/tsc'),
  };
  for (const [version, compiler] of Object.entries(compilers)) {
    const errors = await consumer.errors(compiler);
    for (const error of errors) note(error);
    figure({
      name: `errors of a strict program under TypeScript ${version}`,
      value: errors.length,
      unit: 'errors',
      goal: { exactly: 0 },
    });
  }
  return consumer;
}

function reportClient({ figure }: SuiteContext, folder: string): void {
  const client = join(folder, 'node_modules/@daybook/client');
  const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')) as {
    readonly dependencies?: object;
  };
  figure({
    name: 'dependencies of the client',
    value: Object.keys(manifest.dependencies ?? {}).length,
    unit: 'packages',
    goal: { exactly: 0 },
  });
  for (const [name, files] of Object.entries(parts)) {
    const text = files.map((file) => readFileSync(join(client, 'dist', file), 'utf8')).join('\n');
    figure({
      name: `${name} of the client, compressed`,
      value: gzipSync(text).length / 1024,
      unit: 'KB',
      goal: { atMost: 6 },
    });
  }
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
