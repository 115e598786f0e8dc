import type { Plugin } from 'rolldown';

/** They load machine code from beside their own files. */
const native = new Set(['@node-rs/argon2', '@resvg/resvg-js']);

/**
 * The packages of an installation are bundled with the code. The others, and native ones, are imported by their place
 * in `node_modules`.
 */
export function outsidePackages(bundled: ReadonlySet<string>): Plugin {
  return {
    name: 'outside-packages',
    async resolveId(source, importer, options) {
      const name = /^(?:@[^/]+\/)?[^./@:][^/:]*/.exec(source)?.[0];
      if (name === undefined || importer === undefined) return null;
      const isOwn = !importer.includes('/node_modules/');
      const isOutside = native.has(name) || (isOwn && !bundled.has(name));
      if (!isOutside) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      // Packages of this repository are links to their sources.
      if (resolved === null || !resolved.id.includes('/node_modules/')) return resolved;
      return { id: resolved.id, external: 'absolute' };
    },
  };
}
