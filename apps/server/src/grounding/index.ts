export { checkSentence } from './check-sentence.ts';
export { contentWords, sharedWords } from './negation.ts';
export { sameQuantity } from '../language/quantities.ts';
export type { Quantity } from '../language/quantities.ts';
export { splitSentences } from '../language/sentences.ts';
export { readSource } from './source.ts';
export type { GroundingSource } from './source.ts';
export { factsOf, statedFacts } from './stated-facts.ts';
export type { Fact } from './stated-facts.ts';
