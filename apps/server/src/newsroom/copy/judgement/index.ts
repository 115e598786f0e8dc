export { decideCategory, matchRules } from './category.ts';
export { isCorrectionNotice } from './correction-notice.ts';
export { judge, judgeRead, readForJudgement } from './judge.ts';
export type { ItemToJudge, Judgement, ReadJudgement } from './judge.ts';
export type { Kind } from './kind.ts';
export { isSelectableKind, kinds } from './kind.ts';
export { chooseRepresentative } from './selection.ts';
