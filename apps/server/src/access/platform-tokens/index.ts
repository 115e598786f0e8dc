/** The exports that pages use. */
export { changePlatformToken, removePlatformToken } from './change-platform-token.ts';
export { createPlatformToken } from './create-platform-token.ts';
export { callerOfToken } from '../credentials/platform-surface.ts';
export { NewPlatformTokenSchema } from './platform-token-schema.ts';
export { selectTokensMadeBy } from '../credentials/platform-token-store.ts';
export { listPlatformTokens, readPlatformToken } from './read-platform-tokens.ts';
