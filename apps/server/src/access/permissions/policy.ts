import type { Result } from '../../foundation/result.ts';
import type { ActionPattern } from './action.ts';
import { parseActionPattern } from './action.ts';
import type { PatternFault } from './pattern.ts';
import { faultMessages } from './pattern.ts';
import type { ResourcePattern } from './resource.ts';
import { organizationOf, parseResourcePattern } from './resource.ts';

/** Allows each of its actions on each of its resources. Policies cannot deny. */
export interface Policy {
  readonly actions: readonly ActionPattern[];
  readonly resources: readonly ResourcePattern[];
}

export interface WrittenPolicy {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** One invalid place, named as in the body of a request: `actions.3`. */
export interface PolicyFault {
  readonly name: string;
  readonly message: string;
}

export type ParsedPolicy =
  | { readonly ok: true; readonly value: Policy }
  | { readonly ok: false; readonly faults: readonly PolicyFault[] };

const entriesMax = 100;
/** Bounds the memory of ten thousand compiled policies of one organization. */
const pairsMax = 400;

/** The resources of a policy belong to its own organization. */
export function parsePolicy(written: WrittenPolicy, organization: string): ParsedPolicy {
  const sizes = sizeFaults(written);
  if (sizes.length > 0) return { ok: false, faults: sizes };
  const faults: PolicyFault[] = [];
  const readAll = <Pattern>(
    name: keyof WrittenPolicy,
    read: (text: string) => Result<Pattern, PatternFault>,
  ): Pattern[] =>
    written[name].flatMap((text, index) => {
      const parsed = read(text);
      if (parsed.ok) return [parsed.value];
      const kind = name === 'actions' ? 'action' : 'resource';
      faults.push({ name: `${name}.${index}`, message: faultMessages[kind][parsed.reason] });
      return [];
    });
  const actions = readAll('actions', parseActionPattern);
  const resources = readAll('resources', (text) => {
    const parsed = parseResourcePattern(text);
    const foreign = parsed.ok && organizationOf(parsed.value) !== organization;
    return foreign ? { ok: false, reason: 'foreign-organization' } : parsed;
  });
  return faults.length === 0 ? { ok: true, value: { actions, resources } } : { ok: false, faults };
}

/** The errors of a policy; empty if it can be stored. */
export function policyFaults(written: WrittenPolicy, organization: string): readonly PolicyFault[] {
  const parsed = parsePolicy(written, organization);
  return parsed.ok ? [] : parsed.faults;
}

function sizeFaults({ actions, resources }: WrittenPolicy): PolicyFault[] {
  const faults: PolicyFault[] = [];
  for (const [name, entries] of Object.entries({ actions, resources })) {
    if (entries.length === 0) faults.push({ name, message: 'must not be empty' });
    if (entries.length > entriesMax) faults.push({ name, message: `has more than ${entriesMax} entries` });
  }
  if (faults.length === 0 && actions.length * resources.length > pairsMax)
    faults.push({
      name: 'actions',
      message: `and resources form more than ${pairsMax} pairs; create two policies`,
    });
  return faults;
}
