import type { Action, Authority, Policy } from '../../apps/server/src/access/permissions/index.ts';
import {
  compileAuthority,
  defineAction,
  parsePolicy,
} from '../../apps/server/src/access/permissions/index.ts';

export const organization = 'acme';

const verbs = ['read', 'create', 'update', 'delete'] as const;
export const actions: readonly Action[] = ['Files', 'Folders', 'Projects'].flatMap((resource) =>
  verbs.map((verb) => defineAction(`Daybook.Storage/${resource}/${verb}`)),
);

/** As an organization grows: each policy grants its own project, and some an agent; a few grant all. */
export interface AuthorityWorld {
  readonly authority: Authority;
  readonly projects: readonly string[];
  readonly compileMs: number;
}

export function growWorld(count: number, random: () => number): AuthorityWorld {
  const projects = Array.from({ length: count }, () => uuid(random));
  const policies = projects.map((project, index) => policyOf(project, index));
  const startMs = performance.now();
  const authority = compileAuthority(policies);
  return { authority, projects, compileMs: performance.now() - startMs };
}

function policyOf(project: string, index: number): Policy {
  const own = `/organizations/${organization}`;
  // Every tenth policy spares a verb, so that sets of actions differ.
  const chosen = index % 10 === 0 ? ['read'] : ['read', 'create', 'update'];
  return written(
    chosen.flatMap((verb) => [`Daybook.Storage/*/${verb}`, `Daybook.Agents/Agents/${verb}`]),
    [`${own}/projects/${project}`, `${own}/projects/${project}/**`, `${own}/agents/*/projects/${project}`],
  );
}

/** Policies with every wildcard spelling of a path: the walk visits as many branches as possible. */
export function tangleWorld(depth: number): Authority {
  const policies: Policy[] = [];
  for (let bits = 0; bits < 2 ** depth; bits += 1) {
    const path = Array.from({ length: depth }, (_, at) => (bits & (1 << at) ? '*' : `s${at}`));
    policies.push(
      written(['Daybook.Agents/Agents/read'], [`/organizations/${organization}/${path.join('/')}`]),
    );
  }
  // So that the action is known and the walk over resources cannot be spared, though no pair allows it.
  policies.push(
    written(
      [...actions].map(({ text }) => text),
      [`/organizations/${organization}/elsewhere`],
    ),
  );
  return compileAuthority(policies);
}

function written(chosen: readonly string[], resources: readonly string[]): Policy {
  const parsed = parsePolicy({ actions: chosen, resources }, organization);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
}

export function uuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  const text = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
  // A flat string of its own, as one that was cut from a request.
  return Buffer.from(text, 'latin1').toString('latin1');
}
