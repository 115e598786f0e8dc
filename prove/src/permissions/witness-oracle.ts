import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';

/**
 * Decides the same questions as the server by other means: no segments, no tries. A pattern is judged by concrete
 * texts that it matches, with generated names, compared with regular expressions.
 */

/** More than the longest pattern that is drawn: beyond that, one more segment changes nothing. */
const restMax = 7;

const expressions = new Map<string, RegExp>();
const witnesses = new Map<string, readonly string[]>();
const containments = new Map<string, boolean>();

export function matches(pattern: string, concrete: string): boolean {
  const expression = remember(expressions, pattern, () => {
    const source = pattern
      .split(/(\*+)/)
      .map((part) => ({ '*': '[^/]+', '**': '.+' })[part] ?? RegExp.escape(part))
      .join('');
    return new RegExp(`^${source}$`);
  });
  return expression.test(concrete);
}

/** Texts that a pattern matches: each `*` a new name, `**` one to seven new names. */
export function witnessesOf(pattern: string): readonly string[] {
  return remember(witnesses, pattern, () => {
    const lengths = pattern.endsWith('**') ? Array.from({ length: restMax }, (_, index) => index + 1) : [1];
    return lengths.map((length) =>
      nameWildcards(pattern.replace(/\*\*$/, Array.from({ length }, () => '*').join('/'))),
    );
  });
}

/** In an action the first two names are written large, so that what can be an action is one. */
function nameWildcards(pattern: string): string {
  let fresh = 0;
  const named = pattern.split('/').map((segment, index) => {
    if (!segment.includes('*')) return segment;
    fresh += 1;
    return segment.replace('*', pattern.startsWith('Daybook.') && index < 2 ? `New${fresh}` : `new${fresh}`);
  });
  return named.join('/');
}

function lies(inner: string, outer: string): boolean {
  return remember(containments, `${inner} ${outer}`, () =>
    witnessesOf(inner).every((witness) => matches(outer, witness)),
  );
}

/** Pairs of the candidate that are inside no single pair of the granter, in the order of their names. */
export function uncoveredByWitness(
  granter: readonly WrittenPolicy[],
  candidate: readonly WrittenPolicy[],
): string[] {
  const uncovered = new Set<string>();
  for (const { actions, resources } of candidate) {
    for (const action of actions) {
      for (const resource of resources) {
        const inside = granter.some(
          (policy) =>
            policy.actions.some((outer) => lies(action, outer)) &&
            policy.resources.some((outer) => lies(resource, outer)),
        );
        if (!inside) uncovered.add(`${action} ${resource}`);
      }
    }
  }
  return [...uncovered].sort();
}

export function allowedByWitness(
  granter: readonly WrittenPolicy[],
  action: string,
  resource: string,
): boolean {
  return granter.some(
    (policy) =>
      policy.actions.some((pattern) => matches(pattern, action)) &&
      policy.resources.some((pattern) => matches(pattern, resource)),
  );
}

function remember<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
