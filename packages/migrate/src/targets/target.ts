/** Where a chunk can go. The names are those a person reads and types. */
export const foundationalTargets = [
  'MISSION',
  'GOALS',
  'PROBLEMS',
  'STRATEGIES',
  'CHALLENGES',
  'BELIEFS',
  'WISDOM',
  'MODELS',
  'FRAMES',
  'NARRATIVES',
  'SPARKS',
] as const;
export const idealStateTargets = [
  'HEALTH',
  'MONEY',
  'FREEDOM',
  'RELATIONSHIPS',
  'CREATIVE',
  'RHYTHMS',
] as const;
export const preferenceTargets = [
  'BOOKS',
  'AUTHORS',
  'MOVIES',
  'BANDS',
  'RESTAURANTS',
  'FOOD_PREFERENCES',
  'LEARNING',
  'MEETUPS',
  'CIVIC',
] as const;
export const knowledgeTargets = ['Ideas', 'People', 'Companies', 'Research'] as const;
/** Homes of whole notes: each keeps its name, and a note without a type also its own folder. */
export const wholeTargets = ['NOTE', 'JOURNAL'] as const;
/** Targets in which each chunk is a note of its own. */
export const noteTargets = [...knowledgeTargets, ...wholeTargets] as const;

/** Targets that are one file each. */
export const appendedTargets = [
  ...foundationalTargets,
  ...idealStateTargets,
  ...preferenceTargets,
  'PRINCIPAL_IDENTITY',
] as const;

export type Target =
  | (typeof foundationalTargets)[number]
  | (typeof idealStateTargets)[number]
  | (typeof preferenceTargets)[number]
  | (typeof noteTargets)[number]
  | 'PRINCIPAL_IDENTITY'
  | 'AI_RULES'
  | 'UNCLEAR';

/** Targets that the words of a text can tell apart. The homes of whole notes follow from their place and form. */
export const classifiedTargets: readonly Target[] = [
  ...appendedTargets,
  ...knowledgeTargets,
  'AI_RULES',
  'UNCLEAR',
];

export const targets: readonly Target[] = [...appendedTargets, ...noteTargets, 'AI_RULES', 'UNCLEAR'];

export function isWholeTarget(target: Target): boolean {
  return wholeTargets.some((home) => home === target);
}

/** Nothing goes there without the person's decision about that dimension. */
export function isIdealState(target: Target): boolean {
  return idealStateTargets.some((dimension) => dimension === target);
}
