import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startRegistry } from './local-registry.ts';
import type { OutsidePrograms } from './outside-programs.ts';
import { emptyEnvironment, environment } from './outside-programs.ts';

const run = promisify(execFile);
export const packageNames = [
  '@daybook/cli',
  '@daybook/client',
  '@daybook/grounding',
  '@daybook/login',
  '@daybook/mcp',
  'daybook-migrate',
];

export interface InstalledFolders {
  /** Every package, by npm. */
  readonly everything: string;
  /** Where each runtime finds the client. */
  readonly runtimes: readonly {
    readonly name: string;
    readonly command: readonly [string, ...string[]];
    readonly folder: string;
  }[];
}

/** From a registry and by name, each into an empty folder and by the package manager that its runtime brings. */
export async function installByName(
  programs: OutsidePrograms,
  folder: string,
  tarballs: readonly string[],
): Promise<InstalledFolders> {
  const registry = await startRegistry(programs.verdaccio, folder, tarballs);
  try {
    const install = async (name: string, command: readonly [string, ...string[]]): Promise<string> => {
      const place = registry.emptyFolder(name);
      const [program, ...given] = command;
      await run(program, given, { cwd: place, env: emptyEnvironment() });
      return place;
    };
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
    const everything = await install('everything', ['npm', 'install', ...quiet, ...packageNames]);
    const client = await install('client', ['npm', 'install', ...quiet, '@daybook/client']);
    // The package is a few seconds old, and by default Deno waits a day with new versions.
    const ofDeno = await install('deno', [programs.deno, 'add', '--min-dep-age=0', 'npm:@daybook/client']);
    const ofBun = await install('bun', [programs.bun, 'add', '@daybook/client']);
    return {
      everything,
      runtimes: [
        ...Object.entries(programs.oldestNodes).map(([version, node]) => ({
          name: `Node ${version}`,
          command: [node] as const,
          folder: client,
        })),
        { name: 'Node 22', command: [programs.node22], folder: client },
        { name: 'Node 24', command: [programs.node24], folder: everything },
        { name: 'Node 26', command: [process.execPath], folder: everything },
        { name: 'Deno', command: [programs.deno, 'run', '--allow-all'], folder: ofDeno },
        { name: 'Bun', command: [programs.bun], folder: ofBun },
      ],
    };
  } finally {
    await registry.stop();
  }
}

/** From the tarballs themselves, for the Node that runs this. */
export async function installTarballs(
  folder: string,
  tarballs: readonly string[],
): Promise<InstalledFolders> {
  const everything = join(folder, 'everything');
  mkdirSync(everything);
  writeFileSync(join(everything, 'package.json'), '{ "private": true, "type": "module" }');
  await run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs],
    { cwd: everything, env: environment() },
  );
  return { everything, runtimes: [{ name: 'Node 26', command: [process.execPath], folder: everything }] };
}
