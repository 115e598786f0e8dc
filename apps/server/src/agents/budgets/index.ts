/** The exports that pages and wiring use. */
export type { Budget } from './budget.ts';
export { budgetPeriods, budgetScopes } from './budget.ts';
export type { UsageLine } from './budgets.ts';
export { changeBudget, listBudgets, readUsage } from './budgets.ts';
export { createUsageCleanup } from './usage-cleanup.ts';
