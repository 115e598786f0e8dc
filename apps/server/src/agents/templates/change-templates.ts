import { callers, permissions } from '../../access/index.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { templateActions } from '../agent-actions.ts';
import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { requireCategories } from '../categories/category-rule.ts';
import { enterAsMember } from '../enter-as-member.ts';
import type { AgentTemplate } from './agent-template.ts';
import { deleteTemplate, insertTemplate, selectTemplates } from './template-store.ts';

const templatesMax = 100;

/** Agents that were made from a template keep what they got: a template is changed by removing and making it anew. */
export async function createTemplate(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly template: AgentTemplate },
): Promise<AgentTemplate> {
  const { actor } = await enterAsMember(deps, request);
  const { id, key } = actor.organization;
  callers.requirePermission(actor, templateActions.create, permissions.resourceOf(key, 'agent-templates'));
  const template = { ...request.template, categories: requireCategories(request.template.categories) };
  const own = await selectTemplates(deps.database, id);
  if (own.length >= templatesMax)
    throw new ProblemError(conflict, `an organization has at most ${templatesMax} templates`);
  await insertTemplate(deps.database, id, { ...template, createdAt: deps.clock.now() }).catch(raiseTakenName);
  return template;
}

export async function removeTemplate(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly name: string },
): Promise<void> {
  const { actor } = await enterAsMember(deps, request);
  const { id, key } = actor.organization;
  const resource = permissions.resourceOf(key, 'agent-templates', request.name);
  callers.requirePermissionOn(actor, templateActions.delete, resource, templateActions.read);
  if (!(await deleteTemplate(deps.database, id, request.name))) throw callers.unknownThing();
}

function raiseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'template_pkey') throw error;
  throw new ProblemError(conflict, 'the organization has a template of this name', { cause: error });
}
