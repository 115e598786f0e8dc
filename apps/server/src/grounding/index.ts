export { checkSentence } from './check-sentence.ts';
export { contentWords, sharedWords } from './negation.ts';
export { sameQuantity } from './quantities.ts';
export type { Quantity } from './quantities.ts';
export { splitSentences } from './sentences.ts';
export { readSource } from './source.ts';
export type { GroundingSource } from './source.ts';
export { factsOf, statedFacts } from './stated-facts.ts';
export type { Fact } from './stated-facts.ts';
