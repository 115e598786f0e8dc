export { composeDigest, deservesDigest } from './compose-digest.ts';
export type { Digest, DigestRequest } from './compose-digest.ts';
export { findContradictions } from './contradictions.ts';
export { readReport } from './story-report.ts';
export type { StoryReport } from './story-report.ts';
