import type { PairFeatures } from './pair-features.ts';
import { pairFeatures, pairLanguages } from './pair-features.ts';
import type { StoryModel } from './story-model.ts';
import { pairLikelihood } from './story-model.ts';
import type { WeighedEntry } from './weighed-entry.ts';

/** A story that the index proposes. Members are in order of arrival: the first one is the founder. */
export interface StoryCandidate<Id> {
  readonly id: Id;
  readonly members: readonly [WeighedEntry, ...WeighedEntry[]];
}

export type Clash = 'version' | 'unlike-founder';

/** The judgement of one candidate; stored, so that the decision can be explained later. */
export interface CandidateVerdict<Id> {
  readonly id: Id;
  /** Mean over the better half of the members. */
  readonly likelihood: number;
  readonly founderLikelihood: number;
  /** The clash that excludes the item, however likely it looks; null if none does. */
  readonly clash: Clash | null;
  /** The most similar member. */
  readonly closest: WeighedEntry;
  /** Of that member. */
  readonly features: PairFeatures;
}

export type Assignment<Id> = {
  readonly modelVersion: string;
  /** Most likely first. */
  readonly verdicts: readonly CandidateVerdict<Id>[];
  /** Not joined, but similar enough to be linked, or to be reviewed by an editor. */
  readonly related: readonly Id[];
} & (
  | { readonly outcome: 'join'; readonly story: Id }
  | { readonly outcome: 'open'; readonly reason: 'roundup' | 'no-candidates' | 'none-likely' | 'clash' }
);

/** Stories of hundreds of items are judged by their founder and their newest items. */
export const judgedMembersMax = 24;
const relatedMax = 8;

/** Pure and fast: a few candidates, a few members each. The caller passes them with their rarities. */
export function assignItem<Id>(
  item: WeighedEntry,
  candidates: readonly StoryCandidate<Id>[],
  model: StoryModel,
): Assignment<Id> {
  const base = { modelVersion: model.version, verdicts: [], related: [] };
  if (item.facts.roundup) return { ...base, outcome: 'open', reason: 'roundup' };
  const verdicts = candidates
    .map((candidate) => judge(item, candidate, model))
    .sort((one, other) => other.likelihood - one.likelihood);
  const likely = verdicts.filter(({ likelihood }) => likelihood >= model.joinFrom);
  const joined = likely.find(({ clash }) => clash === null);
  const related = verdicts
    .filter(({ id, likelihood }) => id !== joined?.id && likelihood >= model.relatedFrom)
    .slice(0, relatedMax)
    .map(({ id }) => id);
  if (joined !== undefined) return { ...base, verdicts, related, outcome: 'join', story: joined.id };
  const reason = verdicts.length === 0 ? 'no-candidates' : likely.length > 0 ? 'clash' : 'none-likely';
  return { ...base, verdicts, related, outcome: 'open', reason };
}

/**
 * Late evidence: whether two stories are one after all. Called when an item has joined one and the other is
 * related; the item may be the link that was missing when the second story opened.
 */
export function mergeLikelihood(
  one: StoryCandidate<unknown>,
  other: StoryCandidate<unknown>,
  model: StoryModel,
): { readonly likelihood: number; readonly merge: boolean } {
  const theirs = judgedMembers(other);
  const judged = judgedMembers(one).flatMap((mine) => theirs.map((their) => comparePair(mine, their, model)));
  const likelihood = betterHalfMean(judged.map((pair) => pair.likelihood));
  const founders = judged[0];
  const clash = founders === undefined || clashWith(founders, model) !== null;
  return { likelihood, merge: likelihood >= model.mergeFrom && !clash };
}

function judge<Id>(
  item: WeighedEntry,
  candidate: StoryCandidate<Id>,
  model: StoryModel,
): CandidateVerdict<Id> {
  const judged = judgedMembers(candidate).map((member) => comparePair(item, member, model));
  const [founder] = judged as [ComparedPair];
  const best = judged.reduce((one, other) => (other.likelihood > one.likelihood ? other : one));
  return {
    id: candidate.id,
    likelihood: betterHalfMean(judged.map(({ likelihood }) => likelihood)),
    founderLikelihood: founder.likelihood,
    clash: clashWith(founder, model),
    closest: best.other,
    features: best.features,
  };
}

function judgedMembers({ members: [founder, ...others] }: StoryCandidate<unknown>): readonly WeighedEntry[] {
  return [founder, ...others.slice(-(judgedMembersMax - 1))];
}

interface ComparedPair {
  readonly other: WeighedEntry;
  readonly features: PairFeatures;
  readonly likelihood: number;
}

function comparePair(one: WeighedEntry, other: WeighedEntry, model: StoryModel): ComparedPair {
  const features = pairFeatures(one, other);
  return {
    other,
    features,
    likelihood: pairLikelihood(model.pairs[pairLanguages(one.facts, other.facts)], features),
  };
}

function betterHalfMean(likelihoods: readonly number[]): number {
  const better = likelihoods
    .toSorted((one, other) => other - one)
    .slice(0, Math.ceil(likelihoods.length / 2));
  return better.reduce((sum, likelihood) => sum + likelihood, 0) / Math.max(1, better.length);
}

/** Without a similar founder, stories would grow from one neighbour to the next. */
function clashWith({ features, likelihood }: ComparedPair, model: StoryModel): Clash | null {
  if (features.versionClash > 0) return 'version';
  return likelihood < model.founderFrom ? 'unlike-founder' : null;
}
