import type { DatabaseSync } from 'node:sqlite';

import { plural } from '../cli/terminal.ts';
import { inTransaction } from '../queue/queue-database.ts';
import type { Target } from '../targets/target.ts';
import type { Decision, PendingChunk } from './learn-store.ts';
import {
  dropUndoneExamples,
  hasLearned,
  readExamples,
  readPending,
  saveExamples,
  saveProposal,
} from './learn-store.ts';
import type { LearnableChunk, Proposal } from './learned-layer.ts';
import { LearnedLayer } from './learned-layer.ts';

/** A correction says more than an approval of what was proposed. */
export const exampleWeights = { correction: 3, approval: 1 } as const;
/** Of one answer about many notes, these many are examples. */
const examplesPerAnswer = 20;
const confidenceStep = 0.005;

/** What a decision has changed. */
export interface Lesson {
  /** Notes that have another target than before. */
  readonly moved: number;
  /** In one sentence; empty if nothing changed. */
  readonly sentence: string;
}

const nothing: Lesson = { moved: 0, sentence: '' };

/** Learns from the decisions of the user. Everything is in the queue, which only its owner may read. */
export class Learner {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, LearnableChunk>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Adds one answer of the user about these chunks, and proposes the remaining ones again. */
  learn(chunks: readonly string[], target: Target, kind: keyof typeof exampleWeights): Lesson {
    const weight = exampleWeights[kind];
    const decisions = spread(chunks).map((chunk): Decision => ({ chunk, target, weight }));
    inTransaction(this.#database, () => saveExamples(this.#database, decisions));
    return this.refresh(kind === 'correction' ? decisions : []);
  }

  /** Proposes all pending notes again, after a decision, an undo or a scan. */
  refresh(corrections: readonly Decision[] = []): Lesson {
    if (!hasLearned(this.#database)) return nothing;
    return inTransaction(this.#database, () => {
      dropUndoneExamples(this.#database);
      const examples = readExamples(this.#database);
      const layer = new LearnedLayer(examples);
      const moved = new Map<Target, number>();
      for (const chunk of readPending(this.#database, this.#known)) {
        const proposal = layer.propose(chunk);
        if (!isOther(chunk, proposal, examples.length === 0 ? 0 : confidenceStep)) continue;
        saveProposal(this.#database, chunk, proposal);
        if (proposal.target !== chunk.now.target)
          moved.set(proposal.target, (moved.get(proposal.target) ?? 0) + 1);
      }
      const [correction] = corrections;
      if (correction === undefined) return { ...nothing, moved: sum(moved) };
      const traits = examples.find(({ id }) => id === correction.chunk)?.traits ?? [];
      return lessonOf(correction.target, layer.strongestTrait(traits, correction.target), moved);
    });
  }
}

function lessonOf(target: Target, trait: string | null, moved: ReadonlyMap<Target, number>): Lesson {
  const count = sum(moved);
  if (count === 0) return nothing;
  const changes = Array.from(moved, ([name, notes]) => `${plural(notes, 'note')} to ${name}`).join(', ');
  const about = trait === null ? 'similar notes' : `notes ${trait}`;
  return { moved: count, sentence: `Learned that ${about} go to ${target}. New proposals: ${changes}.` };
}

function sum(counts: ReadonlyMap<Target, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function isOther(
  { now }: PendingChunk,
  { target, confidence, alternatives }: Proposal,
  step: number,
): boolean {
  return (
    target !== now.target ||
    Math.abs(confidence - now.confidence) > step ||
    (alternatives[0]?.target ?? '') !== now.firstAlternative
  );
}

/** Evenly from all of them. */
function spread(chunks: readonly string[]): readonly string[] {
  if (chunks.length <= examplesPerAnswer) return chunks;
  return Array.from(
    { length: examplesPerAnswer },
    (_, at) => chunks[Math.floor((at * chunks.length) / examplesPerAnswer)] ?? '',
  );
}
