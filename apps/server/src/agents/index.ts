export type { AgentsRequest } from './agents-deps.ts';
export {
  agentActions,
  agentCapabilities,
  agentPresets,
  answerActions,
  scheduleActions,
  templateActions,
} from './agent-actions.ts';
export { auditKinds } from './audit-kinds.ts';
export { agentsRoutes } from './agents-routes.ts';
export * as answers from './answers/index.ts';
export * as agents from './agents/index.ts';
export { budgetExhausted } from './budgets/budget.ts';
export { agentCategories } from './categories/agent-category.ts';
export { shippedTemplates } from './templates/agent-template.ts';
export { listTemplates } from './templates/read-templates.ts';
