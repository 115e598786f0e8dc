import type { Plugin } from 'rolldown';

const virtual = '\0lazy-builtin:';

/**
 * An ES import of `node:http` reads every export of it, one of which loads the whole of `fetch`. Bundled code takes the
 * module as it is, so that `fetch` is loaded with its first use.
 */
export function lazyBuiltins(): Plugin {
  return {
    name: 'lazy-builtins',
    resolveId(source, _importer, { kind }) {
      const isHttp = source === 'node:http' || source === 'http';
      return isHttp && kind === 'import-statement' ? `${virtual}node:http` : null;
    },
    load(id) {
      if (!id.startsWith(virtual)) return null;
      return `module.exports = process.getBuiltinModule('${id.slice(virtual.length)}');`;
    },
  };
}
