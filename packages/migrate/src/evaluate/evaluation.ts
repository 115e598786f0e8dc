import { trustedFrom } from '../queue/queued-chunk.ts';
import type { NoteScore } from './note-score.ts';
import { wholeName } from './note-score.ts';
import type { Accepts, LearningEffect } from './simulate-review.ts';
import { learningEffect } from './simulate-review.ts';

/** A part of a whole; both are counts of notes. */
export interface Rate {
  readonly part: number;
  readonly whole: number;
}

export interface TrustRates {
  /** Notes with trusted decisions only, of all. */
  readonly coverage: Rate;
  /** Notes without a wrong chunk that were not cut against their label, of the trusted ones. */
  readonly right: Rate;
}

export interface Evaluation {
  readonly notes: number;
  readonly cut: Rate;
  readonly acceptable: Rate;
  readonly best: Rate;
  readonly trusted: TrustRates;
  readonly trustedByVault: Readonly<Record<string, TrustRates>>;
  /** The same with the trust of each kind of evidence fitted on these labels. */
  readonly trustedFitted: TrustRates;
  /** The same fitted on the labels of the other vaults. */
  readonly trustedLeftOut: TrustRates;
  readonly rightByBasis: Readonly<Record<string, Rate>>;
  readonly acceptableByKind: Readonly<Record<string, Rate>>;
  /** The largest number of targets of one note. */
  readonly targetsMax: number;
  /** Decisions of the user if every chunk is decided on its own, for 1,000 notes. */
  readonly singleDecisions: number;
  /** The same for a review in groups, simulated with the labels as answers. */
  readonly groupDecisions: number;
  /** By vault: a user who accepts what the labels accept, and one who wants exactly the label. */
  readonly learning: Readonly<
    Record<string, { readonly accepting: LearningEffect; readonly exact: LearningEffect }>
  >;
}

/** Notes of these targets are reviewed one by one and counted separately. */
const singleTargets: ReadonlySet<string> = new Set(['AI_RULES', 'PRINCIPAL_IDENTITY']);

/**
 * A group is all notes of a vault that go to one target. Its question is one decision; every wrong note in it is one
 * more, and the confirmation of the rest is one more. The questions are counted for the whole vault, the wrong notes
 * as the share of the labelled ones.
 */
function groupDecisions(scores: readonly NoteScore[]): number {
  let [decisions, notes] = [0, 0];
  for (const ofVault of Map.groupBy(scores, ({ label }) => label.vault).values()) {
    const asked = ofVault.filter(({ target }) => target !== null && !singleTargets.has(target));
    const wrong = asked.filter((score) => !isClean(score));
    const size = ofVault[0]?.vaultNotes ?? ofVault.length;
    const groups = ofVault[0]?.vaultTargets ?? 0;
    const mixed = new Set(wrong.map(({ target }) => target)).size;
    decisions += groups + mixed + (wrong.length * size) / ofVault.length;
    notes += size;
  }
  return (1000 * decisions) / Math.max(notes, 1);
}

export function summarize(scores: readonly NoteScore[]): Evaluation {
  const decisions = scores.reduce((sum, { askedChunks }) => sum + askedChunks, 0);
  return {
    notes: scores.length,
    cut: rate(
      scores.filter(({ label }) => label.stayWhole),
      ({ isCut }) => isCut,
    ),
    acceptable: rate(scores, ({ isRight }) => isRight),
    best: rate(scores, ({ isBest }) => isBest),
    trusted: trustRates(scores),
    trustedByVault: byName(scores, ({ label }) => label.vault, trustRates),
    trustedFitted: trustRates(scores.map((score) => refitted(score, scores))),
    trustedLeftOut: trustRates(
      scores.map((score) => {
        const others = scores.filter(({ label }) => label.vault !== score.label.vault);
        return refitted(score, others);
      }),
    ),
    rightByBasis: byName(
      scores,
      ({ basis }) => basis,
      (ofBasis) => rate(ofBasis, isClean),
    ),
    acceptableByKind: byName(
      scores,
      ({ label }) => label.kind,
      (ofKind) => rate(ofKind, ({ isRight }) => isRight),
    ),
    targetsMax: Math.max(0, ...scores.filter(({ label }) => label.stayWhole).map(({ targets }) => targets)),
    groupDecisions: groupDecisions(scores),
    learning: byName(scores, ({ label }) => label.vault, learning),
    singleDecisions: (1000 * decisions) / Math.max(scores.length, 1),
  };
}

const accepting: Accepts = ({ target, acceptable }, proposed) =>
  [target, ...acceptable].includes(wholeName(proposed));
const exact: Accepts = ({ target }, proposed) => target === wholeName(proposed);

function learning(scores: readonly NoteScore[]): Evaluation['learning'][string] {
  const notes = scores.flatMap(({ simulated }) => simulated ?? []);
  return { accepting: learningEffect(notes, accepting), exact: learningEffect(notes, exact) };
}

function trustRates(scores: readonly NoteScore[]): TrustRates {
  const trusted = scores.filter(({ isTrusted }) => isTrusted);
  return {
    coverage: rate(scores, ({ isTrusted }) => isTrusted),
    right: rate(trusted, isClean),
  };
}

function isClean({ wrongChunks, isCut }: NoteScore): boolean {
  return wrongChunks === 0 && !isCut;
}

/** The note as if its kind of evidence were trusted as far as it is right on other notes. */
function refitted(score: NoteScore, seen: readonly NoteScore[]): NoteScore {
  const alike = seen.filter(({ basis }) => basis === score.basis);
  const confidence = (alike.filter(isClean).length + 1) / (alike.length + 2);
  return { ...score, confidence, isTrusted: confidence >= trustedFrom };
}

function rate(scores: readonly NoteScore[], isPart: (score: NoteScore) => boolean): Rate {
  return { part: scores.filter(isPart).length, whole: scores.length };
}

function byName<T>(
  scores: readonly NoteScore[],
  nameOf: (score: NoteScore) => string,
  summarizeGroup: (group: readonly NoteScore[]) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Array.from(Map.groupBy(scores, nameOf), ([name, group]) => [name, summarizeGroup(group)]),
  );
}
