import { softmax } from '../classify/classifier-model.ts';
import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';
import type { Trait } from './note-traits.ts';

/** The proposal of the scan for a chunk. */
export interface ScannedProposal {
  readonly target: Target;
  readonly confidence: number;
  readonly alternatives: readonly { readonly target: Target; readonly confidence: number }[];
}

/** A chunk that the layer scores. */
export interface LearnableChunk {
  readonly id: string;
  readonly scanned: ScannedProposal;
  readonly traits: readonly Trait[];
  readonly basis: string | null;
}

/** A decision of the user. */
export interface Example extends LearnableChunk {
  readonly decided: Target;
  readonly weight: number;
}

export interface Proposal extends ScannedProposal {
  /** Null for the proposal of the scan. */
  readonly reason: string | null;
}

/** The customer's document has these asked one by one, so that no example may lead to them or away from them. */
export const askedSingly: ReadonlySet<Target> = new Set<Target>([
  'PRINCIPAL_IDENTITY',
  'AI_RULES',
  'UNCLEAR',
]);

const rounds = 60;
const rate = 0.3;
const shrink = 0.02;
/** The confidence of the scan counts as much as this number of decisions about the vault. */
const priorDecisions = 8;
const confidenceMax = 0.95;
const alternativesMax = 5;
const floor = 1e-3;

/**
 * The last layer of the proposals, fitted to the decisions about one vault: for each trait of a note a weight for each
 * target, added to the log-odds of the scan. Without a correction all weights are zero. The confidence of proposals
 * that stay is lowered if fewer of the same kind of evidence were right than expected.
 */
export class LearnedLayer {
  /** Of each trait, in the order of the candidates. */
  readonly #weights = new Map<string, Float64Array>();
  readonly #candidates: readonly Target[];
  readonly #corrections: readonly Example[];
  /** By kind of evidence: right proposals, and how many were to be expected by their confidence. */
  readonly #judged = new Map<string | null, { right: number; expected: number }>();

  constructor(examples: readonly Example[]) {
    const usable = examples.filter(
      ({ decided, scanned }) => !askedSingly.has(decided) && !askedSingly.has(scanned.target),
    );
    const unclear = examples.filter(
      ({ decided, scanned }) => !askedSingly.has(decided) && scanned.target === 'UNCLEAR',
    );
    this.#corrections = [...usable, ...unclear].filter(({ decided, scanned }) => decided !== scanned.target);
    const names = new Set(
      [...usable, ...unclear].flatMap(({ decided, scanned }) => [decided, scanned.target]),
    );
    this.#candidates = targets.filter((target) => names.has(target) && !askedSingly.has(target));
    for (const { basis, decided, scanned } of usable) {
      // A section has a confidence of its own instead of one for its kind of evidence.
      if (basis === null) continue;
      const judged = this.#judged.get(basis) ?? { right: 0, expected: 0 };
      this.#judged.set(basis, judged);
      judged.expected += scanned.confidence;
      if (decided === scanned.target) judged.right += 1;
    }
    if (this.#corrections.length > 0) this.#fit([...usable, ...unclear]);
  }

  #fit(examples: readonly Example[]): void {
    for (let round = 0; round < rounds; round += 1) {
      const step = rate / (1 + round * 0.05);
      for (const example of examples) {
        const shares = this.#shares(example);
        for (const { name, value } of example.traits) {
          const row = this.#weights.get(name) ?? new Float64Array(this.#candidates.length);
          this.#weights.set(name, row);
          for (const [at, target] of this.#candidates.entries()) {
            const gap = (target === example.decided ? 1 : 0) - (shares[at]?.share ?? 0);
            const before = row[at] ?? 0;
            row[at] = before + step * (example.weight * gap * value - shrink * before);
          }
        }
      }
    }
  }

  /** The share of each candidate by the scan and the weights together, then that of the proposal if it is none. */
  #shares({
    scanned,
    traits,
  }: LearnableChunk): readonly { readonly target: Target; readonly share: number }[] {
    const names = this.#candidates.includes(scanned.target)
      ? this.#candidates
      : [...this.#candidates, scanned.target];
    const scores = Float64Array.from(names, (target) => Math.log(scannedShare(scanned, target)));
    for (const { name, value } of traits) {
      const row = this.#weights.get(name);
      if (row === undefined) continue;
      for (let at = 0; at < row.length; at += 1) scores[at] = (scores[at] ?? 0) + (row[at] ?? 0) * value;
    }
    const shares = softmax(scores);
    return names.map((target, at) => ({ target, share: shares[at] ?? 0 }));
  }

  propose(chunk: LearnableChunk): Proposal {
    const { scanned } = chunk;
    if (scanned.target === 'UNCLEAR') return this.#proposeForUnclear(chunk);
    if (askedSingly.has(scanned.target)) return { ...scanned, reason: null };
    if (this.#corrections.length === 0) return this.#calibrated(chunk, 1);
    const shares = this.#shares(chunk);
    const { target, share } = best(shares);
    const alike = this.#corrections.filter(
      ({ decided, traits }) => decided === target && sharesStrongTrait(traits, chunk.traits),
    );
    // Common words alone move no note: a correction must share its folder, a tag or a word of its title.
    if (target === scanned.target || alike.length === 0)
      return this.#calibrated(chunk, shares.find((one) => one.target === scanned.target)?.share ?? 1);
    // One or two corrections are not enough to be trusted: the note is shown before it is approved.
    const confidence = Math.min(share * (alike.length / (alike.length + 1)), confidenceMax);
    return {
      target,
      confidence,
      reason: this.#reason(chunk, target),
      alternatives: withFirst(scanned.alternatives, target, [
        { target: scanned.target, confidence: 1 - confidence },
      ]),
    };
  }

  /** A chunk without a target stays without one; what other decisions suggest is its first alternative. */
  #proposeForUnclear(chunk: LearnableChunk): Proposal {
    const { scanned } = chunk;
    const isKnown = this.#corrections.some(({ traits }) => sharesStrongTrait(traits, chunk.traits));
    if (!isKnown) return { ...scanned, reason: null };
    const { target, share } = best(this.#shares(chunk).filter((one) => one.target !== 'UNCLEAR'));
    const first = { target, confidence: Math.min(share, 1 - scanned.confidence) };
    return { ...scanned, reason: null, alternatives: withFirst(scanned.alternatives, 'UNCLEAR', [first]) };
  }

  /** Lower where fewer decisions were right than the scan expected, never higher: approvals must not raise trust. */
  #calibrated({ scanned, basis }: LearnableChunk, share: number): Proposal {
    const { right, expected } = this.#judged.get(basis) ?? { right: 0, expected: 0 };
    const factor = Math.min(1, (right + priorDecisions) / (expected + priorDecisions));
    return { ...scanned, confidence: Math.min(scanned.confidence * factor, share), reason: null };
  }

  /** The trait that speaks most for a target, in words. */
  strongestTrait(traits: readonly Trait[], target: Target): string | null {
    const at = this.#candidates.indexOf(target);
    const weighed = traits
      .map(({ name, value }) => ({ name, weight: value * (this.#weights.get(name)?.[at] ?? 0) }))
      .filter(({ name, weight }) => weight > 0 && !name.startsWith('proposal '))
      .sort((one, other) => other.weight - one.weight);
    const [first] = weighed;
    return first === undefined ? null : traitWords(first.name);
  }

  #reason(chunk: LearnableChunk, target: Target): string {
    const trait = this.strongestTrait(chunk.traits, target);
    return trait === null
      ? 'you made this decision for similar notes'
      : `you made this decision for notes ${trait}`;
  }
}

type Share = { readonly target: Target; readonly share: number };

function best(shares: readonly Share[]): Share {
  return shares.reduce((one, other) => (other.share > one.share ? other : one));
}

/** A target that the scan did not rank has an equal part of what the ranked ones leave. */
function scannedShare(
  { target: proposed, confidence, alternatives }: ScannedProposal,
  target: Target,
): number {
  if (target === proposed) return Math.min(Math.max(confidence, floor), 1 - floor);
  const ranked = alternatives.find((one) => one.target === target);
  return Math.max(ranked?.confidence ?? 0, (1 - confidence) / targets.length, floor);
}

function sharesStrongTrait(one: readonly Trait[], other: readonly Trait[]): boolean {
  const names = new Set(one.filter(isStrong).map(({ name }) => name));
  return other.some((trait) => isStrong(trait) && names.has(trait.name));
}

function isStrong({ name, value }: Trait): boolean {
  return value > 0.5 && !name.startsWith('proposal ');
}

function withFirst(
  alternatives: ScannedProposal['alternatives'],
  without: Target,
  first: ScannedProposal['alternatives'],
): ScannedProposal['alternatives'] {
  const names = new Set([without, ...first.map(({ target }) => target)]);
  return [...first, ...alternatives.filter(({ target }) => !names.has(target))].slice(0, alternativesMax);
}

function traitWords(name: string): string {
  const at = name.indexOf(' ');
  const [kind, value] = [name.slice(0, at), name.slice(at + 1)];
  if (kind === 'folder') return `in ${value}`;
  if (kind === 'tag') return `tagged #${value}`;
  return kind === 'title' ? `with '${value}' in the title` : `with the word '${value}'`;
}
