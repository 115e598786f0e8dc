import type { AuditKind } from '../audit/index.ts';
import { agentChanged, agentDeleted } from './agents/change-agent.ts';
import { agentCreated } from './agents/create-agent.ts';
import { retentionChanged } from './answers/answer-retention.ts';
import { answerDeleted } from './answers/read-answers.ts';
import { budgetChanged } from './budgets/budgets.ts';
import { scheduleCreated, scheduleDeleted } from './schedules/change-schedules.ts';
import { templateCreated, templateDeleted } from './templates/change-templates.ts';

/** Every kind of event that this domain raises. */
export const auditKinds: readonly AuditKind[] = [
  agentChanged,
  agentCreated,
  agentDeleted,
  answerDeleted,
  budgetChanged,
  retentionChanged,
  scheduleCreated,
  scheduleDeleted,
  templateCreated,
  templateDeleted,
];
