export { composeDigest, deservesDigest } from './compose-digest.ts';
export type { Digest, DigestRequest } from './compose-digest.ts';
export { withQuotes } from './quote-sources.ts';
export { findContradictions } from './contradictions.ts';
export { readItem } from './story-item.ts';
export type { StoryItem } from './story-item.ts';
export { contradictedBy } from './contradicted-title.ts';
