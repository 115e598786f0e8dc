import type { Example, LearnableChunk } from '../learn/learned-layer.ts';
import { askedSingly, LearnedLayer } from '../learn/learned-layer.ts';
import { exampleWeights } from '../learn/learner.ts';
import type { Target } from '../targets/target.ts';
import type { LabelledNote } from './labelled-note.ts';

/** A labelled note that is decided in a group. */
export interface SimulatedNote {
  readonly label: LabelledNote;
  readonly chunk: LearnableChunk;
}

/** Decisions for 1,000 notes. */
export interface LearningEffect {
  readonly notes: number;
  readonly without: number;
  readonly with: number;
}

/** Whether the user of the simulation accepts a target for a note. */
export type Accepts = (label: LabelledNote, target: string) => boolean;

/** The decisions of a user who moves wrong notes one at a time and approves each group once it has none left. */
export function learningEffect(notes: readonly SimulatedNote[], accepts: Accepts): LearningEffect {
  const asked = notes.filter(({ chunk }) => !askedSingly.has(chunk.scanned.target));
  const per1000 = (decisions: number): number => (1000 * decisions) / Math.max(asked.length, 1);
  return {
    notes: asked.length,
    without: per1000(decisionsOf(asked, accepts, false)),
    with: per1000(decisionsOf(asked, accepts, true)),
  };
}

interface Proposed extends SimulatedNote {
  readonly target: Target;
  readonly confidence: number;
}

function decisionsOf(notes: readonly SimulatedNote[], accepts: Accepts, isLearning: boolean): number {
  const examples: Example[] = [];
  let pending = proposed(notes, new LearnedLayer([]));
  let decisions = 0;
  while (pending.length > 0) {
    const group = mostCertain(pending);
    const wrong = group.find(({ label, target }) => !accepts(label, target));
    const decided = wrong === undefined ? group : [wrong];
    decisions += 1;
    for (const { chunk, label, target } of decided) {
      const isRight = wrong === undefined;
      examples.push({
        ...chunk,
        decided: isRight ? target : (label.target as Target),
        weight: isRight ? exampleWeights.approval : exampleWeights.correction,
      });
    }
    const left = pending.filter((note) => !decided.includes(note));
    pending = isLearning ? proposed(left, new LearnedLayer(examples)) : left;
  }
  return decisions;
}

function proposed(notes: readonly SimulatedNote[], layer: LearnedLayer): readonly Proposed[] {
  return notes.map(({ label, chunk }) => {
    const { target, confidence } = layer.propose(chunk);
    return { label, chunk, target, confidence };
  });
}

function mostCertain(notes: readonly Proposed[]): readonly Proposed[] {
  const mean = (group: readonly Proposed[]): number =>
    group.reduce((total, { confidence }) => total + confidence, 0) / group.length;
  const groups = [...Map.groupBy(notes, ({ target }) => target).values()];
  return groups.sort((one, other) => mean(other) - mean(one) || other.length - one.length)[0] ?? [];
}
