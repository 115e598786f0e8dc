import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';

export type Random = () => number;

/** Few names, so that patterns meet often. */
const areas = ['Core', 'Storage'];
const resources = ['ApiTokens', 'Files'];
const fields = ['mode', 'policies_to_add'];
const verbs = ['read', 'write'];
const kinds = ['projects', 'agents'];
const ids = ['1', '2'];
const depthMax = 5;

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

function list<Value>(random: Random, max: number, make: () => Value): Value[] {
  return Array.from({ length: 1 + Math.floor(random() * max) }, make);
}

export function drawAction(random: Random, wildcards: number): string {
  const segment = (names: readonly string[]): string => (random() < wildcards ? '*' : pick(random, names));
  const whole = [
    segment(areas),
    segment(resources),
    ...(random() < 0.5 ? [segment(fields)] : []),
    segment(verbs),
  ];
  if (random() >= wildcards) return `Daybook.${whole.join('/')}`;
  const kept = Math.floor(random() * 3);
  return `Daybook.${[...whole.slice(0, kept), '**'].join('/')}`;
}

export function drawResource(random: Random, organization: string, wildcards: number): string {
  const depth = Math.floor(random() * (depthMax + 1));
  const path = Array.from({ length: depth }, (_, index) =>
    random() < wildcards ? '*' : pick(random, index % 2 === 0 ? kinds : ids),
  );
  if (random() < wildcards) path.push('**');
  return ['/organizations', organization, ...path].join('/');
}

/** A text inside a pattern, or nearly: wildcards become names, a rest becomes a path, now and then a slip. */
function narrowResource(random: Random, pattern: string): string {
  const segments = pattern.split('/').map((segment, index) => {
    if (segment === '*' && random() < 0.5) return pick(random, index % 2 === 1 ? kinds : ids);
    return segment;
  });
  if (segments.at(-1) === '**' && random() < 0.6) {
    const rest = list(random, 2, () => pick(random, ['*', ...kinds, ...ids]));
    segments.splice(-1, 1, ...rest, ...(random() < 0.4 ? ['**'] : []));
  }
  if (random() < 0.05) segments[segments.length - 1] = pick(random, ['*', '**', 'read']);
  return segments.join('/');
}

function narrowAction(random: Random, pattern: string): string {
  const segments = pattern.slice('Daybook.'.length).split('/');
  if (segments.at(-1) === '**' && random() < 0.7) {
    const whole = drawAction(random, 0.3).slice('Daybook.'.length).split('/');
    segments.splice(-1, 1, ...whole.slice(segments.length - 1));
  }
  const namesAt = (index: number): readonly string[] => {
    if (index === 0) return areas;
    if (index === 1) return resources;
    return index === segments.length - 1 ? verbs : fields;
  };
  const named = segments.map((segment, index) =>
    segment === '*' && random() < 0.5 ? pick(random, namesAt(index)) : segment,
  );
  return `Daybook.${named.join('/')}`;
}

export function drawGranter(random: Random): WrittenPolicy[] {
  const wildcards = pick(random, [0.2, 0.4, 0.6]);
  return list(random, 4, () => ({
    actions: list(random, 3, () => drawAction(random, wildcards)),
    resources: list(random, 3, () => drawResource(random, 'acme', wildcards)),
  }));
}

/**
 * Half of the entries are drawn freely, half from the granter's policies, actions of one of its policies beside
 * resources of another: where an escalation would hide.
 */
export function drawCandidate(
  random: Random,
  granter: readonly WrittenPolicy[],
  organization: string,
): WrittenPolicy {
  const own = (): WrittenPolicy => pick(random, granter);
  const likeness = pick(random, [0.5, 1]);
  const one = own();
  return {
    actions: list(random, 3, () =>
      random() < likeness
        ? narrowAction(random, pick(random, (random() < 0.8 ? one : own()).actions))
        : drawAction(random, 0.3),
    ),
    resources: list(random, 3, () =>
      random() < likeness && organization === 'acme'
        ? narrowResource(random, pick(random, (random() < 0.8 ? one : own()).resources))
        : drawResource(random, organization, 0.3),
    ),
  };
}
