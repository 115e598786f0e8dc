export { extractSummary } from './extractive-summary.ts';
export { summaryCharsMax } from './writer.ts';
