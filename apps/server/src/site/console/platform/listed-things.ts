import { groups, members, platformTokens, policies } from '../../../access/index.ts';
import { agents, listTemplates } from '../../../agents/index.ts';
import { projects } from '../../../storage/index.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { callerOfVisitor } from './platform-frame.ts';
import { agentsRequest, orIfRefused, unrecorded } from './resource-names.ts';

/** Maximum number of choices per kind. */
export const listedMax = 50;

interface ListedThing {
  readonly id: string;
  readonly label: string;
}

export interface ListedThings {
  readonly things: readonly ListedThing[];
  readonly hasMore: boolean;
}

const nothing: ListedThings = { things: [], hasMore: false };

/** Those whose name contains the text, where the list can search; otherwise the first ones. */
type Lister = (place: PlatformPlace, text: string) => Promise<ListedThings>;

interface Listed {
  readonly data: readonly ListedThing[];
  readonly pagination: { readonly hasMore: boolean };
}

function pageOf({ data, pagination }: Listed): ListedThings {
  return { things: data, hasMore: pagination.hasMore };
}

function firstOf(all: readonly ListedThing[]): ListedThings {
  return { things: all.slice(0, listedMax), hasMore: all.length > listedMax };
}

const queryOf = ({ org }: PlatformPlace, text: string) => ({
  platform_key: org,
  limit: listedMax,
  ...(text !== '' && { query: text }),
});
const numbered = ({ id, name }: { readonly id: number; readonly name: string }): ListedThing => ({
  id: String(id),
  label: name,
});

const listers: Readonly<Record<string, Lister>> = {
  projects: async ({ tools, visitor, org }) => {
    if (tools.files === null) return nothing;
    const asked = { caller: callerOfVisitor(visitor), client: unrecorded, organizationKey: org };
    const page = { limit: listedMax, sort: 'name' } as const;
    return pageOf(
      await projects.listProjects(tools.files, { ...asked, page }, ({ id, name }) => ({ id, label: name })),
    );
  },
  agents: async (place, text) => {
    const filter = text === '' ? {} : { query: text };
    const asked = { ...agentsRequest(place), page: { limit: listedMax }, filter };
    const present = ({ id, displayName }: agents.Agent): ListedThing => ({ id, label: displayName });
    return pageOf(await agents.searchAgents(place.tools.access, asked, present));
  },
  'agent-templates': async (place) => {
    const found = await listTemplates(place.tools.access, agentsRequest(place));
    return firstOf(found.map(({ name }) => ({ id: name, label: name })));
  },
  members: async (place, text) => {
    const { access } = place.tools;
    return pageOf(
      await members.listMembers(access, callerOfVisitor(place.visitor), queryOf(place, text), (member) => ({
        id: member.username,
        label: `${member.name} (${member.username})`,
      })),
    );
  },
  'api-tokens': async ({ tools, visitor, org }, text) => {
    const found = await platformTokens.listPlatformTokens(tools.access, callerOfVisitor(visitor), org);
    const matching = found.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    return firstOf(
      matching.map(({ name, creator }) => ({ id: name, label: `${name} (${creator.username})` })),
    );
  },
  policies: async (place, text) => {
    const { tools, visitor } = place;
    return pageOf(
      await policies.listPolicies(tools.access, callerOfVisitor(visitor), queryOf(place, text), numbered),
    );
  },
  groups: async (place, text) => {
    const { tools, visitor } = place;
    return pageOf(
      await groups.listGroups(tools.access, callerOfVisitor(visitor), queryOf(place, text), numbered),
    );
  },
};

/** The resources of a kind that a policy can name; none where the visitor may not list it. */
export async function listThings(place: PlatformPlace, kind: string, text = ''): Promise<ListedThings> {
  const list = listers[kind];
  return list === undefined ? nothing : orIfRefused(list(place, text), nothing);
}
