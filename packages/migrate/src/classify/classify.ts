import { reasons } from './answer-reasons.ts';
import { confidence, trustSignals } from './answer-trust.ts';
import type { Classification, ClassifierInput } from './classification.ts';
import type { Ranked } from './classifier-model.ts';
import { classifierModel, rank } from './classifier-model.ts';
import { extractFeatures, lexicons } from './note-features.ts';
import { bounded } from './note-tokens.ts';

const alternativesMax = 5;
const nothingToGoBy = 'no evidence in the text';

const assistant =
  /\b(?:assistants?|agents?|claude|copilot|cursor|windsurf|gemini|chatgpt|gpt|llms?|ai|prompts?|subagents?|you are an?)\b|助手|提示词|智能体|大模型/i;

/**
 * Instructions for people in a technical note read like a rule for an assistant. Where the file of the note is known,
 * a rule must mention an assistant; files of rules are recognised by name before this check.
 */
function withoutRules(
  ranked: readonly Ranked[],
  { path, headings, text }: ClassifierInput,
): readonly Ranked[] {
  const isKnownFile = path !== undefined && path !== null;
  if (!isKnownFile || assistant.test([path, ...headings, bounded(text)].join('\n'))) return ranked;
  const others = ranked.filter(({ target }) => target !== 'AI_RULES');
  const sum = others.reduce((total, { probability }) => total + probability, 0);
  return others.map((one) => ({ ...one, probability: one.probability / Math.max(sum, 1e-9) }));
}

/** Where a chunk belongs, from its headings, its words and the name of its file. Pure: the same chunk gives the same answer. */
export function classify(input: ClassifierInput): Classification {
  const model = classifierModel();
  const books = lexicons();
  const features = extractFeatures(input, books, model.weights);
  const ranked = withoutRules(rank(model, features), input);
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
