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
  | (typeof knowledgeTargets)[number]
  | 'PRINCIPAL_IDENTITY'
  | 'AI_RULES'
  | 'UNCLEAR';

export const targets: readonly Target[] = [
  ...foundationalTargets,
  ...idealStateTargets,
  ...preferenceTargets,
  'PRINCIPAL_IDENTITY',
  ...knowledgeTargets,
  'AI_RULES',
  'UNCLEAR',
];

/** Nothing goes there without the person's decision about that dimension. */
export function isIdealState(target: Target): boolean {
  return idealStateTargets.some((dimension) => dimension === target);
}
