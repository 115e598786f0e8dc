export { cutDocument } from './chunks/document-cutter.ts';
export type { Classification, ClassifierInput } from './classify/classification.ts';
export { classify } from './classify/classify.ts';
export { classifyNote } from './notes/classify-note.ts';
export { openQueue } from './queue/queue-database.ts';
export { scanSource } from './queue/scan-source.ts';
export { isRuleFile } from './sources/source-kind.ts';
export { targets } from './targets/target.ts';
export type { Target } from './targets/target.ts';
