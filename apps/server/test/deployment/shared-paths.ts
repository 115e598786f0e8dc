import type { RouteDeclaration } from '../../src/foundation/http/route.ts';

const begin = '    # Generated from the routes by `npm run edge-paths`.\n';
const end = '    # End of what is generated.\n';

/** The lines of nginx's map: addresses whose responses are the same for everyone. */
export function sharedPathLines(routes: readonly RouteDeclaration[]): readonly string[] {
  const shared = new Set(routes.filter(({ isShared }) => isShared === true).map(({ path }) => formOf(path)));
  return [...shared].sort().map((form) => `    ${form} 1;\n`);
}

/** Addresses with a parameter are patterns; so are those of files, whose names contain a hash. */
function formOf(path: string): string {
  const plain = path.replace(/^\/assets\/.*$/, '/assets/{name}');
  if (!plain.includes('{')) return plain;
  const pattern = plain
    .split(/\{\w+\}/)
    .map((text) => text.replaceAll(/[.+*?^$()[\]|\\]/g, String.raw`\$&`))
    .join('[^/]+');
  return `"~^${pattern}$"`;
}

export function withSharedPaths(template: string, routes: readonly RouteDeclaration[]): string {
  const [from, to] = [template.indexOf(begin), template.indexOf(end)];
  if (from < 0 || to < from) throw new Error('the template has no place for shared paths');
  return template.slice(0, from + begin.length) + sharedPathLines(routes).join('') + template.slice(to);
}
