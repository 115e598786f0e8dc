import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { AgentRoutesDeps } from './agents/agent-routes.ts';
import { agentRoutes } from './agents/agent-routes.ts';
import type { AnswerRoutesDeps } from './answers/answer-routes.ts';
import { answerRoutes } from './answers/answer-routes.ts';
import { budgetRoutes } from './budgets/budget-routes.ts';
import { categoryRoutes } from './categories/category-routes.ts';
import type { ScheduleRoutesDeps } from './schedules/schedule-routes.ts';
import { scheduleRoutes } from './schedules/schedule-routes.ts';
import { templateRoutes } from './templates/template-routes.ts';
import { versionRoutes } from './versions/version-routes.ts';

/** The JSON endpoints of this domain. */
export function agentsRoutes(
  deps: AgentRoutesDeps & AnswerRoutesDeps & ScheduleRoutesDeps,
): readonly RouteDeclaration[] {
  return [
    ...agentRoutes(deps),
    ...versionRoutes(deps),
    ...categoryRoutes(deps),
    ...templateRoutes(deps),
    ...answerRoutes(deps),
    ...budgetRoutes(deps),
    ...scheduleRoutes(deps),
  ];
}
