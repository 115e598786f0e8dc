/** The exports with which other domains share their resources. */
export type { Share, ShareId, ShareLevel, ShareSubject } from './share.ts';
export { shareLevels } from './share.ts';
export {
  countShares,
  deleteEndedShares,
  deleteShare,
  deleteSharesOf,
  findShare,
  replaceShare,
  selectShares,
  selectSharesOfAccount,
  selectSharesWith,
} from './share-store.ts';
