import type { capabilities, permissions } from '../../../access/index.ts';
import { groups, members, policies } from '../../../access/index.ts';
import { agents } from '../../../agents/index.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { PageQuery } from '../../../foundation/pagination/page-schema.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { folders, projects } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { callerOfVisitor } from './platform-frame.ts';

interface NamedResource {
  readonly id: string;
  readonly names: readonly string[];
}

/** Finds resources of a kind by name, and names the resources of policies. */
interface NamedKind {
  readonly noun: string;
  readonly isId: (text: string) => boolean;
  readonly find: (place: PlatformPlace, text: string) => Promise<readonly NamedResource[]>;
  readonly nameOf: (place: PlatformPlace, id: string) => Promise<string>;
}

const isNumber = (text: string): boolean => /^[1-9][0-9]{0,8}$/.test(text);
const isUuid = (text: string): boolean => idForm.test(text);
const isAnything = (): boolean => true;

const kinds: Readonly<Record<string, NamedKind>> = {
  projects: { noun: 'project', isId: isUuid, find: findProjects, nameOf: nameOfProject },
  agents: {
    noun: 'agent',
    isId: isUuid,
    find: async (place, query) => {
      const asked = { ...agentsRequest(place), page: { limit: 100 }, filter: { query } };
      const presented = ({ id, name, displayName }: agents.Agent) => ({ id, names: [name, displayName] });
      return (await agents.searchAgents(place.tools.access, asked, presented)).data;
    },
    nameOf: async (place, agentId) =>
      (await agents.readAgent(place.tools.access, { ...agentsRequest(place), agentId })).displayName,
  },
  policies: numberedKind('policy', policies.listPolicies, policies.readPolicy),
  groups: numberedKind('group', groups.listGroups, groups.readGroup),
  members: {
    noun: 'member',
    isId: isAnything,
    find: async ({ tools, visitor, org }, query) => {
      const asked = { platform_key: org, limit: 100, query };
      const presented = ({ username, name }: members.ListedMember) => ({ id: username, names: [name] });
      return (await members.listMembers(tools.access, callerOfVisitor(visitor), asked, presented)).data;
    },
    nameOf: async (_place, username) => username,
  },
};

function numberedKind(
  noun: string,
  list: typeof groups.listGroups<NamedResource>,
  read: typeof groups.readGroup | typeof policies.readPolicy,
): NamedKind {
  return {
    noun,
    isId: isNumber,
    find: async ({ tools, visitor, org }, query) => {
      const asked = { platform_key: org, limit: 100, query };
      return (await list(tools.access, callerOfVisitor(visitor), asked, numbered)).data;
    },
    nameOf: async ({ tools, visitor, org }, id) => {
      const asked = { platformKey: org, id: Number(id) };
      return (await read(tools.access, callerOfVisitor(visitor), asked)).name;
    },
  };
}

function numbered({ id, name }: { readonly id: number; readonly name: string }): NamedResource {
  return { id: String(id), names: [name] };
}

export function agentsRequest({ visitor, org }: PlatformPlace) {
  return {
    caller: callerOfVisitor(visitor),
    organizationKey: org,
    username: visitor.account.username,
  };
}

/** Reading records no event, so the client address is not needed. */
export const unrecorded = { address: '', userAgent: '' };
const projectPagesMax = 20;

async function findProjects(
  { tools, visitor, org }: PlatformPlace,
  text: string,
): Promise<readonly NamedResource[]> {
  if (tools.files === null) return [];
  const request = { caller: callerOfVisitor(visitor), client: unrecorded, organizationKey: org };
  const found: NamedResource[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < projectPagesMax; page += 1) {
    const asked: PageQuery = { limit: 100, sort: 'name', ...(cursor !== undefined && { cursor }) };
    const { data, pagination } = await projects.listProjects(
      tools.files,
      { ...request, page: asked },
      (one) => one,
    );
    found.push(
      ...data.filter(({ name }) => isSame(name, text)).map(({ id, name }) => ({ id, names: [name] })),
    );
    cursor = pagination.nextCursor ?? undefined;
    if (!pagination.hasMore) break;
  }
  return found;
}

async function nameOfProject({ tools, visitor }: PlatformPlace, projectId: string): Promise<string> {
  if (tools.files === null) return projectId;
  const request = { caller: callerOfVisitor(visitor), client: unrecorded, projectId, folderId: null };
  return (await folders.viewContainer(tools.files, request)).project.name;
}

function isSame(name: string, text: string): boolean {
  return name.localeCompare(text, 'en', { sensitivity: 'accent' }) === 0;
}

/** Kinds that the visitor may not read yield no results. */
export async function orIfRefused<Value>(asked: Promise<Value>, nothing: Value): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProblemError) return nothing;
    throw error;
  }
}

/** The one resource of these kinds with this id, or with this name if it is unique. */
export async function findThing(
  place: PlatformPlace,
  ofKinds: readonly string[],
  text: string,
): Promise<capabilities.PresetTarget> {
  if (text === '') return null;
  const called: { readonly kind: string; readonly id: string }[] = [];
  for (const kind of ofKinds) {
    const things = await orIfRefused(kinds[kind]?.find(place, text) ?? Promise.resolve([]), []);
    for (const { id, names } of things)
      if (names.some((name) => isSame(name, text))) called.push({ kind, id });
  }
  const [first] = called;
  if (called.length > 1) {
    const each = called.map(({ kind, id }) => `${kinds[kind]?.noun ?? kind} ${id}`).join(', ');
    throw invalidField(
      'only',
      say('Several resources have this name. Enter one of these IDs: {each}', { each }),
    );
  }
  if (first !== undefined) return first;
  const fitting = ofKinds.filter((kind) => kinds[kind]?.isId(text) ?? true);
  if (fitting.length === 0)
    throw invalidField('only', say('No resource of the selected permissions has this name or ID'));
  const there: string[] = [];
  for (const kind of fitting) if ((await nameOrNull(place, kind, text)) !== null) there.push(kind);
  const [only = null, ...others] = there.length === 0 ? fitting : there;
  return { kind: others.length === 0 ? only : null, id: text };
}

/** Null where no resource has this id, or the visitor may not see it. */
function nameOrNull(place: PlatformPlace, kind: string, id: string): Promise<string | null> {
  const name: Promise<string | null> = kinds[kind]?.nameOf(place, id) ?? Promise.resolve(null);
  return orIfRefused(name, null);
}

const namesMax = 20;

/** The names of resources in an authority's policies; the id where the visitor may not see the name. */
export async function nameThings(
  place: PlatformPlace,
  { policies: held }: permissions.Authority,
): Promise<(id: string) => string> {
  const named = new Map<string, string>();
  for (const { segments } of held.flatMap(({ resources }) => resources)) {
    const [, , kind = '', id = ''] = segments;
    if (kind in kinds && id !== '' && !id.includes('*') && named.size < namesMax) named.set(id, kind);
  }
  const names = new Map<string, string>();
  for (const [id, kind] of named) {
    const name = await nameOrNull(place, kind, decodeURIComponent(id));
    if (name !== null && name !== id) names.set(id, `“${name}”`);
  }
  return (id) => names.get(id) ?? id;
}
