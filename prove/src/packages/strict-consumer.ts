import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { emptyEnvironment } from './outside-programs.ts';

const run = promisify(execFile);

/** Of the client: its checks, and among them what every store must do. */
const scripts = ['client-checks', 'store-contract'];

/** The strictest options of TypeScript, types of the packages included. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.asynciterable'],
  types: ['node'],
  module: 'nodenext',
  rootDir: 'consumer',
  outDir: 'compiled',
  rewriteRelativeImportExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
};

/** A program that imports every entry, and the script of checks, which uses the client's types for what they are. */
function writeConsumer(folder: string, root: string, entries: readonly string[]): void {
  const source = join(folder, 'consumer');
  mkdirSync(source);
  for (const file of scripts)
    copyFileSync(join(root, 'packages/client/test', `${file}.ts`), join(source, `${file}.ts`));
  const imports = entries.map((entry, at) => `import * as entry${at} from '${entry}';`);
  const names = entries.map((_, at) => `entry${at}`);
  writeFileSync(
    join(source, 'entries.ts'),
    `${imports.join('\n')}\n\nexport const entries: readonly object[] = [${names.join(', ')}];\n`,
  );
  const typeRoots = [join(root, 'node_modules/@types')];
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots }, include: ['consumer'] }),
  );
}

export interface StrictConsumer {
  /** The errors of this compiler. */
  readonly errors: (tsc: string) => Promise<readonly string[]>;
  /** Writes the script of checks as JavaScript, as a compiler left it, into another folder. */
  readonly writeChecks: (into: string) => void;
}

export function strictConsumer(folder: string, root: string, entries: readonly string[]): StrictConsumer {
  writeConsumer(folder, root, entries);
  return {
    errors: async (tsc) => {
      try {
        const given = [tsc, '--project', folder, '--pretty', 'false'];
        await run(process.execPath, given, { env: emptyEnvironment() });
        return [];
      } catch (error) {
        const { stdout = '', message } = error as { readonly stdout?: string; readonly message: string };
        const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
        return errors.length > 0 ? errors : [message];
      }
    },
    writeChecks: (into) => {
      for (const file of scripts)
        copyFileSync(join(folder, 'compiled', `${file}.js`), join(into, `${file}.js`));
    },
  };
}
