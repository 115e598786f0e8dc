export { MirrorServerError } from './copy-check.ts';
export type { FollowOptions, MirrorEvent } from './follow.ts';
export { follow, MirrorDifferentError, MirrorRefusedError } from './follow.ts';
export { memoryStore } from './memory-store.ts';
export type { CopyName, CopyProgress, CopyStep, MirroredItem, MirrorStore } from './mirror-store.ts';
export type { Verification } from './verify.ts';
export { verify, verifyOnline } from './verify.ts';
