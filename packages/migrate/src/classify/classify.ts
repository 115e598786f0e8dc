import { reasons } from './answer-reasons.ts';
import { confidence, trustSignals } from './answer-trust.ts';
import type { Classification, ClassifierInput } from './classification.ts';
import { classifierModel, rank } from './classifier-model.ts';
import { extractFeatures, lexicons } from './note-features.ts';

const alternativesMax = 5;
const nothingToGoBy = 'there is nothing in it to go by';

/** Where a chunk belongs, from its headings and words alone. Pure: the same chunk gives the same answer. */
export function classify(input: ClassifierInput): Classification {
  const model = classifierModel();
  const books = lexicons();
  const features = extractFeatures(input, books, model.weights);
  const ranked = rank(model, features);
  const [first] = ranked;
  const speaks = features.some(({ name }) => !name.startsWith('shape ') && model.weights.has(name));
  if (first === undefined || !speaks) {
    return { target: 'UNCLEAR', confidence: 0.9, reasons: [nothingToGoBy], alternatives: [] };
  }
  const sure = confidence(model.trust, trustSignals(model, features, ranked));
  // What is taken from or given to the first is given to or taken from the others in equal proportion, never past it.
  const scale = Math.min(sure / first.probability, (1 - sure) / Math.max(1 - first.probability, 1e-9));
  const why = reasons(model, features, ranked, books);
  return {
    target: first.target,
    confidence: sure,
    reasons: why.length === 0 ? [nothingToGoBy] : why,
    alternatives: ranked
      .slice(1, 1 + alternativesMax)
      .map(({ target, probability }) => ({ target, confidence: probability * scale })),
  };
}
