import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const nodeOf = (version: string): string => `npm:node-${process.platform}-${process.arch}@${version}`;
/** The oldest versions of Node that packages declare. */
const oldest = ['22.13.0', '24.0.0'] as const;

/** Runtimes, compilers and a registry that people use and the workspace does not: 650 MB that no one else should carry. */
const manifest = {
  private: true,
  dependencies: {
    verdaccio: '6.10.4',
    deno: '2.9.6',
    bun: '1.4.4',
    'typescript-5.9': 'npm:typescript@5.9.3',
    'node-22': nodeOf('22.23.3'),
    'node-24': nodeOf('24.21.0'),
    ...Object.fromEntries(oldest.map((version) => [`node-${version}`, nodeOf(version)])),
  },
  // A tag in the place of a version, which not every registry has.
  overrides: { 'node-fetch': '2.7.0' },
};

export interface OutsidePrograms {
  readonly verdaccio: string;
  readonly deno: string;
  readonly bun: string;
  readonly node22: string;
  readonly node24: string;
  /** The oldest versions that packages declare, such as `22.13.0`. */
  readonly oldestNodes: Readonly<Record<string, string>>;
  /** The compiler as a program for Node. */
  readonly typescript59: string;
}

/** Installs them once into a folder that `npm ci` empties. */
export async function installOutsidePrograms(root: string): Promise<OutsidePrograms> {
  const folder = join(root, 'node_modules/.cache/prove-packages');
  const text = JSON.stringify(manifest);
  const done = join(folder, 'installed.json');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== text) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), text);
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'], {
      cwd: folder,
      env: environment(),
    });
    writeFileSync(done, text);
  }
  const installed = (path: string): string => join(folder, 'node_modules', path);
  return {
    verdaccio: installed('verdaccio/bin/verdaccio'),
    deno: installed('deno/deno'),
    bun: installed('bun/bin/bun.exe'),
    node22: installed('node-22/bin/node'),
    node24: installed('node-24/bin/node'),
    oldestNodes: Object.fromEntries(
      oldest.map((version) => [version, installed(`node-${version}/bin/node`)]),
    ),
    typescript59: installed('typescript-5.9/bin/tsc'),
  };
}

/** With the Node that runs this as the one that npm and programs find first. */
export function environment(): NodeJS.ProcessEnv {
  const { PATH = '', ...others } = process.env;
  return { ...others, PATH: `${dirname(process.execPath)}:${PATH}` };
}

/** The same without the variables of `npm run`, which would take precedence over the working folder. */
export function emptyEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment()).filter(([name]) => !/^npm_/i.test(name)));
}
