import type { Authority } from './authority.ts';
import { someSetHas } from './authority.ts';
import { collectCovering } from './pattern-trie.ts';

export interface PermissionPair {
  readonly action: string;
  readonly resource: string;
}

/** Why an authority is not within another. */
export interface Escalation {
  /** The candidate is a superuser, the granter is not. */
  readonly superuser: boolean;
  /** Pairs of the candidate that no single pair of the granter covers, each once. */
  readonly uncovered: readonly PermissionPair[];
  /** More pairs exist than are listed. */
  readonly truncated: boolean;
}

const uncoveredMax = 100;

/** Null if the granter may do whatever the candidate may do. */
export function escalationOf(granter: Authority, candidate: Authority): Escalation | null {
  if (granter.superuser) return null;
  const named = new Map<string, PermissionPair>();
  for (const pair of uncoveredPairs(granter, candidate)) {
    // No action contains a blank, so the joined text is unambiguous.
    named.set(`${pair.action} ${pair.resource}`, pair);
    if (named.size > uncoveredMax) break;
  }
  if (named.size === 0 && !candidate.superuser) return null;
  return {
    superuser: candidate.superuser,
    uncovered: [...named.values()].slice(0, uncoveredMax),
    truncated: named.size > uncoveredMax,
  };
}

function* uncoveredPairs(granter: Authority, candidate: Authority): Generator<PermissionPair> {
  for (const { actions, resources } of candidate.policies) {
    const covering = resources.map(({ text, segments }) => ({
      text,
      sets: covered(granter.resources, segments),
    }));
    for (const { text: action, segments } of actions) {
      const numbers = covered(granter.actions, segments);
      for (const { text: resource, sets } of covering) {
        if (!someSetHas(numbers, sets)) yield { action, resource };
      }
    }
  }
}

function covered<Leaf>(
  trie: Parameters<typeof collectCovering<Leaf>>[0],
  segments: readonly string[],
): Leaf[] {
  const found: Leaf[] = [];
  collectCovering(trie, segments, found);
  return found;
}
