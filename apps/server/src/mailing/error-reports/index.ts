export { errorPageOf, errorReportLimit, messageCharsMax, reportError } from './report-error.ts';
export type { ErrorReportDeps } from './report-error.ts';
