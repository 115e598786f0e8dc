export { draftBody } from './edition-representation.ts';
export { dailyEditions, monthlyEditions, weeklyEditions } from './edition-kinds.ts';
export type { EditionDefinition } from './edition-kinds.ts';
