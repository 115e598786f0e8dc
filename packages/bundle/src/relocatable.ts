import type { Plugin } from 'rolldown';

/**
 * Replaces absolute addresses below the root by addresses relative to the bundled file, which is in a folder directly
 * below the root: the tree then runs in any folder, and has the same bytes wherever it was bundled.
 */
export function relocatable(root: string): Plugin {
  return { name: 'relocatable', renderChunk: (code) => ({ code: relocate(code, root) }) };
}

export function relocate(code: string, root: string): string {
  const folder = RegExp.escape(root.endsWith('/') ? root : `${root}/`);
  const address = (path: string): string => `new URL("../${path}", import.meta.url)`;
  return code
    .replaceAll(new RegExp(`(\\bfrom ?|\\bimport ?|\\bimport\\()"${folder}([^"]*)"`, 'g'), '$1"../$2"')
    .replaceAll(new RegExp(`"file://${folder}([^"]*)"`, 'g'), (_, path: string) => `${address(path)}.href`)
    .replaceAll(
      new RegExp(`"${folder}([^"]*)"`, 'g'),
      (_, path: string) => `decodeURIComponent(${address(path)}.pathname)`,
    );
}
