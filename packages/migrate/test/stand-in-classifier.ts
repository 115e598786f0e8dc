import type { Classify } from '../src/queue/scan-deps.ts';
import { targets } from '../src/targets/target.ts';

/**
 * A classifier that tests can predict: a chunk that names a target goes there, with the
 * confidence it names (`GOALS 80`); what names none is UNCLEAR, which the real classifier states with high confidence. The routing machinery is proved apart from any model.
 */
export const classifyByName: Classify = ({ text }) => {
  const named = text.matchAll(/\b([A-Za-z_]+) (\d{1,3})\b/g);
  const found = Array.from(named).find(([, name]) => targets.some((target) => target === name));
  const target = targets.find((name) => name === found?.[1]);
  if (target === undefined) return { target: 'UNCLEAR', confidence: 0.9, reasons: [], alternatives: [] };
  return {
    target,
    confidence: Number(found?.[2]) / 100,
    reasons: [`it names ${target}`],
    alternatives: [
      { target: 'WISDOM', confidence: 0.1 },
      { target: 'BELIEFS', confidence: 0.05 },
    ],
  };
};
