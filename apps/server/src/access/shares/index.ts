/** What other domains build the sharing of their things on. */
export type { Share, ShareId, ShareLevel, ShareSubject } from './share.ts';
export { shareLevels } from './share.ts';
export {
  countShares,
  deleteShare,
  deleteSharesOf,
  findShare,
  replaceShare,
  selectShares,
  selectSharesOfAccount,
  selectSharesWith,
} from './share-store.ts';
