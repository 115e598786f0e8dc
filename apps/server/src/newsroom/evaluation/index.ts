export { evaluateClaims } from './evaluate-claims.ts';
export { evaluateCopy } from './evaluate-copy.ts';
export { evaluateSelection } from './evaluate-selection.ts';
export { rateLine } from '../../foundation/evaluation/rate.ts';
export type { Labelled } from './selection-figures.ts';
export { pairwiseAuc, precisionAtEditorsRate, sweepChart } from './selection-figures.ts';
