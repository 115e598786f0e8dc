import type { Action } from './action.ts';
import type { Authority } from './authority.ts';
import { anyRest, anySegment } from './pattern.ts';
import type { Resource } from './resource.ts';

/** Which things of a kind may be shown: every one, or those with these names. */
export type CoveredNames = 'all' | ReadonlySet<string>;

/**
 * What a list may show, worked out before the query. `parents` are the paths under which the listed things lie: a thing
 * may be seen when it may be seen under one of them, as `<parent>/<kind>/<name>`.
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

function covers(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [index, segment] of segments.entries()) {
    if (pattern[index] === anyRest) return true;
    if (pattern[index] !== segment && pattern[index] !== anySegment) return false;
  }
  return pattern.length === segments.length;
}

/** What stands in the place after these segments; `*` for every name, null where the pattern leads elsewhere. */
function nameCovered(pattern: readonly string[], before: readonly string[]): string | null {
  for (const [index, segment] of before.entries()) {
    if (pattern[index] === anyRest) return anySegment;
    if (pattern[index] !== segment && pattern[index] !== anySegment) return null;
  }
  const name = pattern[before.length];
  if (name === anyRest) return anySegment;
  return name === undefined || pattern.length > before.length + 1 ? null : name;
}
