import { apiTokenPrivilege, apiTokenFieldAction } from '../core-permissions/api-token-privilege.ts';
import {
  actForMembers,
  apiTokenActions,
  groupActions,
  memberActions,
  organizationActions,
  policyActions,
  readAuditEvents,
} from '../core-permissions/core-actions.ts';
import type { Action } from '../permissions/action.ts';
import type { Authority } from '../permissions/authority.ts';
import { allows } from '../permissions/authority.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';

/** A permission in everyday words. */
export interface Capability {
  readonly action: Action;
  /** Of the resource below the organization; empty for the organization itself. */
  readonly kind: readonly string[];
  /** Whether it applies to the collection or to each resource in it. */
  readonly on: 'collection' | 'things';
  /** Where the collection is inside each resource of the kind: `files` in `…/projects/<id>/files`. */
  readonly inside?: string;
  /** Continues "can …". */
  readonly words: string;
}

const on = (where: Capability['on'], kind: readonly string[], action: Action, words: string): Capability => ({
  action,
  kind,
  on: where,
  words,
});

/** The four capabilities of a kind of resource; a domain adds its others. */
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

/** All capabilities of the actions of this domain. */
export const coreCapabilities: readonly Capability[] = [
  on('collection', [], organizationActions.read, 'see the name of the organization'),
  on('collection', [], organizationActions.update, 'rename the organization'),
  on('collection', ['members'], memberActions.read, 'list members'),
  on('collection', ['members'], memberActions.create, 'invite members, list and cancel invitations'),
  on('things', ['members'], memberActions.update, 'change roles of members'),
  on('things', ['members'], memberActions.delete, 'remove members'),
  on('things', ['members'], actForMembers, 'act for other members'),
  ...capabilitiesOf('api-tokens', apiTokenActions, 'tokens'),
  on('collection', ['api-tokens'], apiTokenFieldAction('mode'), 'create tokens with their own permissions'),
  on('things', ['api-tokens'], apiTokenFieldAction('mode'), 'change the permissions of tokens'),
  ...capabilitiesOf('policies', policyActions, 'policies'),
  ...capabilitiesOf('groups', groupActions, 'groups'),
  on('collection', ['audit-events'], readAuditEvents, 'read the audit log'),
];

/** A capability; null for everything, otherwise the named resources, each with its parents, outermost first. */
export interface AllowedCapability extends Capability {
  readonly only: readonly (readonly string[])[] | null;
}

interface CapabilityReport {
  readonly can: readonly AllowedCapability[];
  readonly cannot: readonly Capability[];
}

/** Represents every resource that no policy names. */
const unnamed = 'any-other-thing';

/** The capabilities of an authority, from the same algebra that authorizes requests. */
export function reportCapabilities(
  authority: Authority,
  organization: string,
  capabilities: readonly Capability[],
): CapabilityReport {
  const can: AllowedCapability[] = [];
  const cannot: Capability[] = [];
  for (const capability of capabilities) {
    const { action, kind } = capability;
    const may = (rest: readonly string[]): boolean =>
      allows(authority, action, resourceOf(organization, ...kind, ...rest));
    const named = namedPlaces(authority, kind).filter((place) => tails(capability, place).some(may));
    if (may(everywhere(capability))) can.push({ ...capability, only: null });
    else if (named.length > 0) can.push({ ...capability, only: outermost(named).map(idsOf) });
    else cannot.push(capability);
  }
  return { can, cannot };
}

function everywhere({ on: where, inside }: Capability): readonly string[] {
  if (inside === undefined) return where === 'collection' ? [] : [unnamed];
  return where === 'collection' ? [unnamed, inside] : [unnamed, inside, unnamed];
}

/** Below a kind: the names of resources, and of their parents. */
type NamedPlace = readonly string[];

/** The scope of a check on a named resource: the resource itself, or its content. */
function tails({ on: where, inside }: Capability, place: NamedPlace): readonly NamedPlace[] {
  if (inside === undefined) return where === 'things' && place.length === 1 ? [place] : [];
  const isContainer = place.length === 1 || place.at(-2) === 'folders';
  const within = where === 'collection' ? [inside] : [inside, unnamed];
  return [
    ...(isContainer ? [[...place, ...within]] : []),
    ...(where === 'things' && place.at(-2) === inside ? [place] : []),
  ];
}

/** Resources of a kind, and their content, that a policy names: its resources up to their first wildcard. */
function namedPlaces({ policies }: Authority, [kind]: readonly string[]): readonly NamedPlace[] {
  const places = policies.flatMap(({ resources }) =>
    resources.flatMap(({ segments }) => {
      const [, , ofKind, ...rest] = segments;
      const wildcard = rest.findIndex((segment) => segment.includes('*'));
      const place = wildcard === -1 ? rest : rest.slice(0, wildcard);
      // Ends with the name of a resource, not of a collection.
      return ofKind === kind && place.length % 2 === 1 ? [place] : [];
    }),
  );
  return [...new Map(places.map((place) => [place.join('/'), place])).values()];
}

/** Without those inside another one. */
function outermost(places: readonly NamedPlace[]): readonly NamedPlace[] {
  const isWithin = (place: NamedPlace, outer: NamedPlace): boolean =>
    outer.length < place.length && outer.every((segment, index) => segment === place[index]);
  return places.filter((place) => !places.some((outer) => isWithin(place, outer)));
}

function idsOf(place: NamedPlace): readonly string[] {
  return place.filter((_, index) => index % 2 === 0).map(decodeURIComponent);
}

/** A common job: the required permissions, in one policy. */
export interface PermissionPreset {
  readonly id: string;
  readonly label: string;
  readonly actions: readonly string[];
  readonly kinds: readonly string[];
  /** Whether it includes the content of the resources of its kinds. */
  readonly isDeep?: boolean;
}

export const corePresets: readonly PermissionPreset[] = [
  {
    id: 'see-members',
    label: 'Read members: list members and roles',
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
    label: 'Manage tokens: create, change and delete tokens and their permissions',
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
    label: 'Manage policies and groups: create, change and delete',
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

/** One resource of a kind, or null for everything. */
export type PresetTarget = { readonly kind: string | null; readonly id: string } | null;

/** The policy of some presets: on everything of their kinds, or on one resource, whose kind may be known. */
export function policyOfPresets(
  presets: readonly PermissionPreset[],
  organization: string,
  only: PresetTarget,
): WrittenPolicy {
  const kinds = [...new Set(presets.flatMap(({ kinds: of }) => of))];
  const isDeep = presets.some((preset) => preset.isDeep === true);
  const concerned = only === null || only.kind === null ? kinds : kinds.filter((kind) => kind === only.kind);
  return {
    actions: [...new Set(presets.flatMap(({ actions }) => actions))],
    resources: concerned.flatMap((kind) => {
      const { text } =
        only === null ? resourceOf(organization, kind) : resourceOf(organization, kind, only.id);
      return only === null || isDeep ? [text, `${text}/**`] : [text];
    }),
  };
}
