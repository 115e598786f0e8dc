export { hanBigrams, hanCharacter, hanRuns } from './language/han-text.ts';
export { scaleOf } from './language/numerals.ts';
export { splitSentences } from './language/sentences.ts';
export { toSimplified } from './language/simplified.ts';
export { normalizeTokenText, stemOf, tokenize } from './language/text-tokens.ts';
export type { TextToken } from './language/text-tokens.ts';
export { unitNamed } from './language/units.ts';
