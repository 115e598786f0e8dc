import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Plugin } from 'rolldown';

/** In one flat folder, so that each bundled file finds the others beside it. */
export function bundledName(root: string, program: string): string {
  return `${relative(root, program).replaceAll(/[/\\]/g, '.').replace(/\.ts$/, '')}.mjs`;
}

const programAddress =
  /(?<start>fileURLToPath\(|new Worker\(\s*)new URL\('(?<path>[\w./-]+\.ts)', import\.meta\.url\)/g;

/** In two parts: this file may be part of a bundle too. */
const ownAddress = ['import.meta', 'url'].join('.');

/**
 * A source file finds migrations, prompts and styles by its own address, and a bundled file is in another folder:
 * such an address becomes that of the source. The address of another program becomes that of its bundled form.
 */
export function ownAddresses(root: string): Plugin {
  return {
    name: 'own-addresses',
    transform(code, id) {
      if (id.includes('/node_modules/')) return inPackage(code, id);
      if (!code.includes(ownAddress)) return null;
      const started = code.replaceAll(programAddress, (_, start: string, path: string) => {
        const program = resolve(dirname(id), path);
        const fileName = bundledName(root, program);
        this.emitFile({ type: 'chunk', id: program, fileName });
        return `${start}new URL('./${fileName}', import.meta.bundled)`;
      });
      // Modules of the bundler itself have an id that is no path: not below the working folder.
      const address = JSON.stringify(pathToFileURL(resolve(root, id)).href);
      const found = started.replaceAll(ownAddress, address);
      return { code: found.replaceAll('import.meta.bundled', ownAddress), map: null };
    },
  };
}

/** CommonJS only: the files that a package reads next to its own. */
function inPackage(code: string, id: string): { code: string; map: null } | null {
  if (!/\b__(?:dirname|filename)\b/.test(code)) return null;
  return {
    code: code
      .replaceAll(/\b__dirname\b/g, JSON.stringify(dirname(id)))
      .replaceAll(/typeof __filename\b/g, "'string'")
      .replaceAll(/\b__filename\b/g, JSON.stringify(id)),
    map: null,
  };
}
