export { dailyReports, monthlyReports, weeklyReports } from './report-kinds.ts';
export type { ReportDefinition } from './report-kinds.ts';
