export { createShare, endShare } from './change-shares.ts';
export type { WantedSubject } from './change-shares.ts';
export { listNamedShares, listShares } from './read-shares.ts';
export type { ShareTarget } from './share-target.ts';
export { sharesHistory } from './share-target.ts';
