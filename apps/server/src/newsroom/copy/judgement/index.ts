export { decideCategory } from './category.ts';
export { evaluateLabelledText } from './evaluate-file.ts';
export { pairwiseAuc, precisionAtEditorsRate, sweepChart } from './evaluate.ts';
export type { Labelled } from './evaluate.ts';
export { judge, judgeRead, readForJudgement } from './judge.ts';
export type { Judgement, ReadJudgement } from './judge.ts';
export { chooseRepresentative } from './selection.ts';
