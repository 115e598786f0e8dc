import type { Action } from './action.ts';
import type { PatternTrie } from './pattern-trie.ts';
import { collectCovering, createPatternTrie, updateLeaf } from './pattern-trie.ts';
import type { Policy } from './policy.ts';
import type { Resource } from './resource.ts';

/** Action patterns by number. */
type ActionSet = Set<number>;

/** Permissions, compiled once from policies and then only read. */
export interface Authority {
  /** Allows everything in every organization. */
  readonly superuser: boolean;
  readonly policies: readonly Policy[];
  readonly actions: PatternTrie<number>;
  /** At each resource pattern, the action patterns that are allowed with it. */
  readonly resources: PatternTrie<ActionSet>;
}

export function compileAuthority(
  policies: readonly Policy[],
  { superuser = false }: { readonly superuser?: boolean } = {},
): Authority {
  const actions = createPatternTrie<number>();
  const resources = createPatternTrie<ActionSet>();
  const setOf = createActionSets(actions);
  // If two policies name the same resource, it gets its own set.
  const own = new Set<ActionSet>();
  for (const policy of policies) {
    const ofPolicy = setOf(policy);
    for (const { segments } of policy.resources) {
      updateLeaf(resources, segments, (known) => {
        if (known === null || known === ofPolicy) return ofPolicy;
        const set = own.has(known) ? known : new Set(known);
        own.add(set);
        for (const number of ofPolicy) set.add(number);
        return set;
      });
    }
  }
  return { superuser, policies, actions, resources };
}

/** Numbers the action patterns; policies with the same patterns share a set, which then stays in the CPU cache. */
function createActionSets(actions: PatternTrie<number>): (policy: Policy) => ActionSet {
  const known = new Map<string, ActionSet>();
  let patterns = 0;
  return (policy) => {
    const numbers = new Set<number>();
    for (const { segments } of policy.actions) {
      updateLeaf(actions, segments, (number) => {
        const own = number ?? (patterns += 1);
        numbers.add(own);
        return own;
      });
    }
    const name = [...numbers].sort((one, other) => one - other).join();
    const set = known.get(name) ?? numbers;
    known.set(name, set);
    return set;
  };
}

export function allows(authority: Authority, action: Action, resource: Resource): boolean {
  if (authority.superuser) return true;
  const numbers: number[] = [];
  collectCovering(authority.actions, action.segments, numbers);
  if (numbers.length === 0) return false;
  const sets: ActionSet[] = [];
  collectCovering(authority.resources, resource.segments, sets);
  return someSetHas(numbers, sets);
}

/** Whether one of the sets contains one of the action patterns: then the authority has a policy with both. */
export function someSetHas(numbers: readonly number[], sets: readonly ActionSet[]): boolean {
  for (const set of sets) {
    for (const number of numbers) {
      if (set.has(number)) return true;
    }
  }
  return false;
}
