export { extractSummary } from './extractive-summary.ts';
export { writeByRule } from './write-by-rule.ts';
export { summaryCharsMax } from './writer.ts';
export { withoutInstructions } from './instructions-in-text.ts';
