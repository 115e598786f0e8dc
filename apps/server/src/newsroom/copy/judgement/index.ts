export { decideCategory } from './category.ts';
export { judge, judgeRead, readForJudgement } from './judge.ts';
export type { ItemToJudge, Judgement, ReadJudgement } from './judge.ts';
export { chooseRepresentative } from './selection.ts';
