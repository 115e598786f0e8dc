import type { Action } from './action.ts';
import type { Authority } from './authority.ts';
import { anyRest, anySegment } from './pattern.ts';
import type { Resource } from './resource.ts';

/** The visible resources of a kind: all, or those with these names. */
export type CoveredNames = 'all' | ReadonlySet<string>;

/**
 * The resources that a list may show, computed before the query. `parents` are the paths of the parents of the listed
 * resources: a resource is visible if it is visible under one of them, as `<parent>/<kind>/<name>`.
 */
export function coveredNames(
  authority: Authority,
  action: Action,
  parents: readonly Resource[],
  kind: string,
): CoveredNames {
  if (authority.superuser) return 'all';
  const names = new Set<string>();
  for (const { actions, resources } of authority.policies) {
    if (!actions.some(({ segments }) => covers(segments, action.segments))) continue;
    for (const { segments } of resources) {
      for (const parent of parents) {
        const name = nameCovered(segments, [...parent.segments, kind]);
        if (name === anySegment) return 'all';
        if (name !== null) names.add(decodeURIComponent(name));
      }
    }
  }
  return names;
}

/**
 * The same for resources of any form: what each policy that covers the action writes where the path is open (null), `*`
 * for every name. A name that only looks like `*` stays encoded.
 */
export function coveredPaths(
  authority: Authority,
  action: Action,
  path: readonly (string | null)[],
): readonly (readonly string[])[] {
  return authority.policies
    .filter(({ actions }) => actions.some(({ segments }) => covers(segments, action.segments)))
    .flatMap(({ resources }) => resources.map(({ segments }) => openSegments(segments, path)))
    .flatMap((open) => (open === null ? [] : [open.map(decodedName)]));
}

function decodedName(segment: string): string {
  const name = decodeURIComponent(segment);
  return name === anySegment ? segment : name;
}

function covers(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [index, segment] of segments.entries()) {
    if (pattern[index] === anyRest) return true;
    if (pattern[index] !== segment && pattern[index] !== anySegment) return false;
  }
  return pattern.length === segments.length;
}

/** The segment after these segments; `*` for every name, null if the pattern does not match. */
function nameCovered(pattern: readonly string[], before: readonly string[]): string | null {
  return openSegments(pattern, [...before, null])?.[0] ?? null;
}

/** The segment of a pattern where the path is open (null); null if it does not match. */
function openSegments(
  pattern: readonly string[],
  path: readonly (string | null)[],
): readonly string[] | null {
  const found: string[] = [];
  for (const [index, segment] of path.entries()) {
    const written = pattern[index];
    if (written === anyRest)
      return [...found, ...path.slice(index).flatMap((open) => (open === null ? [anySegment] : []))];
    if (written === undefined) return null;
    if (segment === null) found.push(written);
    else if (written !== segment && written !== anySegment) return null;
  }
  return pattern.length === path.length ? found : null;
}
