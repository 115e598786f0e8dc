export { copyEntry } from './copy-entry.ts';
export { moveEntry } from './move-entry.ts';
