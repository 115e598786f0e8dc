import { callers, changes, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { organizations } from '../../identity/index.ts';
import { templateActions } from '../agent-actions.ts';
import type { AgentsChange, AgentsDeps } from '../agents-deps.ts';
import { requireCategories } from '../categories/category-rule.ts';
import { enterAsMember } from '../enter-as-member.ts';
import type { AgentTemplate } from './agent-template.ts';
import { deleteTemplate, insertTemplate, selectTemplates } from './template-store.ts';

const templatesMax = 100;
export const templateCreated = defineAuditKind(
  'agent_template_created',
  (word) => `You created the agent template “${word('name')}”.`,
);
export const templateDeleted = defineAuditKind(
  'agent_template_deleted',
  (word) => `You deleted the agent template “${word('name')}”.`,
);

/** Agents do not follow later changes: a template is changed by deleting and recreating it. */
export async function createTemplate(
  deps: AgentsDeps,
  request: AgentsChange & { readonly template: AgentTemplate },
): Promise<AgentTemplate> {
  const { actor } = await enterAsMember(deps, request);
  const { id, key } = actor.organization;
  callers.requirePermission(actor, templateActions.create, permissions.resourceOf(key, 'agent-templates'));
  const template = { ...request.template, categories: requireCategories(request.template.categories) };
  const [now, { client }] = [deps.clock.now(), request];
  await deps.database.transaction().execute(async (transaction) => {
    // Without the lock, concurrent requests would not count each other's templates.
    await organizations.lockOrganization(transaction, id);
    if ((await selectTemplates(transaction, id)).length >= templatesMax)
      throw new ProblemError(conflict, `An organization can have at most ${templatesMax} templates.`);
    await insertTemplate(transaction, id, { ...template, createdAt: now }).catch(raiseTakenName);
    const detail = { name: template.name };
    await changes.recordActorEvent(transaction, deps, actor, {
      kind: templateCreated,
      at: now,
      client,
      detail,
    });
  });
  return template;
}

export async function removeTemplate(
  deps: AgentsDeps,
  request: AgentsChange & { readonly name: string },
): Promise<void> {
  const { actor } = await enterAsMember(deps, request);
  const { id, key } = actor.organization;
  const resource = permissions.resourceOf(key, 'agent-templates', request.name);
  callers.requirePermissionOn(actor, templateActions.delete, resource, templateActions.read);
  const [now, { client, name }] = [deps.clock.now(), request];
  await deps.database.transaction().execute(async (transaction) => {
    if (!(await deleteTemplate(transaction, id, name))) throw callers.notFoundOrHidden();
    await changes.recordActorEvent(transaction, deps, actor, {
      kind: templateDeleted,
      at: now,
      client,
      detail: { name },
    });
  });
}

function raiseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'template_pkey') throw error;
  throw new ProblemError(conflict, 'A template with this name already exists.', { cause: error });
}
