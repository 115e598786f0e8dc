// What a page needs to verify content against a log, for a bundle of its own.
export { compareCheckpoints } from './fork.ts';
export { parseKeys, visitLog } from './log-view.ts';
export { differingFields, verifyProof } from './proof.ts';
