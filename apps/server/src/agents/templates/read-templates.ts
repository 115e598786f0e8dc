import { callers, permissions } from '../../access/index.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { templateActions } from '../agent-actions.ts';
import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { enterAsMember } from '../enter-as-member.ts';
import type { AgentTemplate } from './agent-template.ts';
import { shippedTemplates } from './agent-template.ts';
import { findTemplate, selectTemplates } from './template-store.ts';

/** All templates of the organization, by name, followed by the shipped ones that it does not replace. */
export async function listTemplates(
  deps: AgentsDeps,
  request: AgentsRequest,
): Promise<readonly AgentTemplate[]> {
  const { actor } = await enterAsMember(deps, request);
  const { id, key } = actor.organization;
  callers.requirePermission(actor, templateActions.read, permissions.resourceOf(key, 'agent-templates'));
  const own = await selectTemplates(deps.database, id);
  return [...own, ...shippedTemplates.filter(({ name }) => !own.some((one) => one.name === name))];
}

export async function requireTemplate(
  deps: Pick<AgentsDeps, 'database'>,
  organization: callers.Organization,
  name: string,
): Promise<AgentTemplate> {
  const template = await readTemplate(deps, organization, name);
  if (template === null) throw new ProblemError(notFound, 'No template with this name.');
  return template;
}

/** Null if the organization no longer has a template of this name. */
export async function readTemplate(
  { database }: Pick<AgentsDeps, 'database'>,
  { id }: callers.Organization,
  name: string,
): Promise<AgentTemplate | null> {
  const own = await findTemplate(database, id, name);
  return own ?? shippedTemplates.find((shipped) => shipped.name === name) ?? null;
}
