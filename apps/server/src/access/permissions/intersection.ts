import { actionOfSegments } from './action.ts';
import type { Authority } from './authority.ts';
import { compileAuthority } from './authority.ts';
import { anyRest, anySegment } from './pattern.ts';
import type { Policy } from './policy.ts';
import { resourceOfSegments } from './resource.ts';

/**
 * The permissions that both allow, as an authority, which is within either. A policy is a product of actions and
 * resources, so the intersection of two policies is the product of the intersections, and two patterns have one common
 * pattern or none: the result is exact.
 */
export function intersectAuthorities(one: Authority, other: Authority): Authority {
  if (one.superuser) return other;
  if (other.superuser) return one;
  return compileAuthority(
    one.policies.flatMap((left) => other.policies.flatMap((right) => commonPolicy(left, right))),
  );
}

function commonPolicy(one: Policy, other: Policy): readonly Policy[] {
  const resources = commonPatterns(one.resources, other.resources).map(resourceOfSegments);
  if (resources.length === 0) return [];
  const actions = commonPatterns(one.actions, other.actions).map(actionOfSegments);
  return actions.length === 0 ? [] : [{ actions, resources }];
}

interface Pattern {
  readonly segments: readonly string[];
}

/** Each once. */
function commonPatterns(one: readonly Pattern[], other: readonly Pattern[]): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const left of one) {
    for (const right of other) {
      const segments = commonSegments(left.segments, right.segments);
      if (segments !== null) found.set(segments.join('/'), segments);
    }
  }
  return [...found.values()];
}

/** The one pattern that matches what both match; null if they are disjoint. */
function commonSegments(one: readonly string[], other: readonly string[]): readonly string[] | null {
  const common: string[] = [];
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [left, right] = [one[index], other[index]];
    if (left === undefined || right === undefined) return null;
    if (left === anyRest) return [...common, ...other.slice(index)];
    if (right === anyRest) return [...common, ...one.slice(index)];
    if (left !== right && left !== anySegment && right !== anySegment) return null;
    common.push(left === anySegment ? right : left);
  }
  return common;
}
