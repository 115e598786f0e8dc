export type { Classification, ClassifierInput } from './classify/classification.ts';
export { classify } from './classify/classify.ts';
export { targets } from './targets/target.ts';
export type { Target } from './targets/target.ts';
