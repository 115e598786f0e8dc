import type { Action } from './action.ts';
import { apiTokenPrivilege, apiTokenFieldAction } from './api-token-privilege.ts';
import type { Authority } from './authority.ts';
import { allows } from './authority.ts';
import {
  actForMembers,
  apiTokenActions,
  groupActions,
  memberActions,
  organizationActions,
  policyActions,
  readAuditEvents,
} from './core-actions.ts';
import { resourceOf } from './resource.ts';

/** Something that can be done, as a person says it. */
export interface Capability {
  readonly action: Action;
  /** Of the resource below the organization; empty for the organization itself. */
  readonly kind: readonly string[];
  /** Whether it is done to the collection or to each thing in it. */
  readonly on: 'collection' | 'things';
  /** Continues "can …". */
  readonly words: string;
}

const on = (where: Capability['on'], kind: readonly string[], action: Action, words: string): Capability => ({
  action,
  kind,
  on: where,
  words,
});

/** The four of a kind of thing; a domain adds what else it has. */
export function capabilitiesOf(
  kind: string,
  actions: {
    readonly read: Action;
    readonly create?: Action;
    readonly update?: Action;
    readonly delete?: Action;
  },
  nouns: string,
): readonly Capability[] {
  const { read, create, update, delete: remove } = actions;
  return [
    on('collection', [kind], read, `list ${nouns}`),
    on('things', [kind], read, `open ${nouns}`),
    ...(create === undefined ? [] : [on('collection', [kind], create, `create ${nouns}`)]),
    ...(update === undefined ? [] : [on('things', [kind], update, `change ${nouns}`)]),
    ...(remove === undefined ? [] : [on('things', [kind], remove, `delete ${nouns}`)]),
  ];
}

/** Everything that the actions of this domain allow. */
export const coreCapabilities: readonly Capability[] = [
  on('collection', [], organizationActions.read, 'see what the organization is called'),
  on('collection', [], organizationActions.update, 'rename the organization'),
  on('collection', ['members'], memberActions.read, 'see who is a member'),
  on('collection', ['members'], memberActions.create, 'invite people, and see and cancel invitations'),
  on('things', ['members'], memberActions.update, 'change roles of members'),
  on('things', ['members'], memberActions.delete, 'remove members'),
  on('things', ['members'], actForMembers, 'act for other members'),
  ...capabilitiesOf('api-tokens', apiTokenActions, 'tokens'),
  on('collection', ['api-tokens'], apiTokenFieldAction('mode'), 'give new tokens permissions of their own'),
  on('things', ['api-tokens'], apiTokenFieldAction('mode'), 'change what tokens may do'),
  ...capabilitiesOf('policies', policyActions, 'policies'),
  ...capabilitiesOf('groups', groupActions, 'groups'),
  on('collection', ['audit-events'], readAuditEvents, 'read the audit log'),
];

interface CapabilityReport {
  readonly can: readonly string[];
  readonly cannot: readonly string[];
}

/** Stands for every thing that no policy names. */
const unnamed = 'any-other-thing';

/** What an authority comes to, in the words of each capability; of the same algebra that decides requests. */
export function reportCapabilities(
  authority: Authority,
  organization: string,
  capabilities: readonly Capability[],
): CapabilityReport {
  const can: string[] = [];
  const cannot: string[] = [];
  for (const { action, kind, on: where, words } of capabilities) {
    const may = (...rest: readonly string[]): boolean =>
      allows(authority, action, resourceOf(organization, ...kind, ...rest));
    const isWhole = where === 'collection' ? may() : may(unnamed);
    const named = where === 'collection' ? [] : namedThings(authority, kind).filter((name) => may(name));
    if (isWhole) can.push(words);
    else if (named.length > 0) can.push(`${words}, but only ${named.join(', ')}`);
    else cannot.push(words);
  }
  return { can, cannot };
}

/** Those of a kind that some policy names. */
function namedThings({ policies }: Authority, [kind]: readonly string[]): readonly string[] {
  const names = policies.flatMap(({ resources }) =>
    resources.flatMap(({ segments }) => {
      const [, , ofKind, name] = segments;
      const isNamed = segments.length === 4 && ofKind === kind && name !== undefined && !name.includes('*');
      return isNamed ? [name] : [];
    }),
  );
  return [...new Set(names)];
}

/** A common job: what it takes, in one policy. */
export interface PermissionPreset {
  readonly id: string;
  readonly label: string;
  readonly actions: readonly string[];
  readonly kinds: readonly string[];
}

export const corePresets: readonly PermissionPreset[] = [
  {
    id: 'see-members',
    label: 'See members: who is here and as what',
    actions: [memberActions.read.text],
    kinds: ['members'],
  },
  {
    id: 'manage-members',
    label: 'Manage members: invite, change roles, remove',
    actions: [memberActions.read, memberActions.create, memberActions.update, memberActions.delete].map(
      ({ text }) => text,
    ),
    kinds: ['members'],
  },
  {
    id: 'manage-tokens',
    label: 'Manage tokens: create, change and delete them, and decide what they may do',
    actions: [...Object.values(apiTokenActions).map(({ text }) => text), apiTokenPrivilege],
    kinds: ['api-tokens'],
  },
  {
    id: 'read-rules',
    label: 'Read policies and groups',
    actions: [policyActions.read.text, groupActions.read.text],
    kinds: ['policies', 'groups'],
  },
  {
    id: 'manage-rules',
    label: 'Manage policies and groups: create, change and delete them',
    actions: [...Object.values(policyActions), ...Object.values(groupActions)].map(({ text }) => text),
    kinds: ['policies', 'groups'],
  },
  {
    id: 'read-audit',
    label: 'Read the audit log',
    actions: [readAuditEvents.text],
    kinds: ['audit-events'],
  },
];

/** The policy of some presets: on everything of their kinds, or on one thing alone. */
export function policyOfPresets(
  presets: readonly PermissionPreset[],
  organization: string,
  only: string,
): { readonly actions: readonly string[]; readonly resources: readonly string[] } {
  const kinds = [...new Set(presets.flatMap(({ kinds: of }) => of))];
  return {
    actions: [...new Set(presets.flatMap(({ actions }) => actions))],
    resources: kinds.flatMap((kind) => {
      const { text } = resourceOf(organization, kind);
      return only === '' ? [text, `${text}/**`] : [resourceOf(organization, kind, only).text];
    }),
  };
}
