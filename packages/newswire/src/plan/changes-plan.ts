import type { OutletShape } from '../dispatch.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import { Random } from '../random.ts';

/** An outlet's change to a published dispatch: another headline, a paragraph more, the other figure. */
export interface Edit {
  readonly at: Micros;
  readonly change: 'headline' | 'addition' | 'figure';
}

/** The changes of a dispatch after its publication. */
export interface Changes {
  /** In order of time. */
  readonly edits: readonly Edit[];
  /** From then on its page returns 410 and it is in no feed. */
  readonly withdrawn: Micros | null;
  /** From then on it is in no feed, while its page stays. */
  readonly vanishes: Micros | null;
}

const unchanged: Changes = { edits: [], withdrawn: null, vanishes: null };

const editedShare: Readonly<Partial<Record<OutletShape, number>>> = {
  site: 0.09,
  video: 0.15,
  releases: 0.2,
  podcast: 0.05,
};

/** Drawn from the wording alone, so that a dispatch has the same changes however it is reached. */
export function planChanges(wording: number, shape: OutletShape, appears: Micros): Changes {
  const random = new Random(wording, 16);
  const draw = random.unit();
  const after = (low: number, high: number): Micros =>
    Math.floor(appears + (low + random.unit() ** 2 * (high - low)) * microsPerHour);
  if (draw < 0.012) return { ...unchanged, withdrawn: after(1, 40) };
  if (draw < 0.022) return { ...unchanged, vanishes: after(0.5, 20) };
  if (draw > 1 - (editedShare[shape] ?? 0)) return { ...unchanged, edits: planEdits(random, shape, after) };
  return unchanged;
}

function planEdits(
  random: Random,
  shape: OutletShape,
  after: (low: number, high: number) => Micros,
): readonly Edit[] {
  const at = after(0.2, 10);
  const headline = shape === 'site' && random.chance(0.55);
  const edit = { at, change: headline ? ('headline' as const) : ('addition' as const) };
  if (!random.chance(0.2)) return [edit];
  return [edit, { at: at + Math.floor(random.between(0.3, 9) * microsPerHour), change: 'addition' }];
}

/** The outlet that publishes a correction also mends the article that was wrong. */
export function withCorrectedFigure(changes: Changes, at: Micros): Changes {
  const edits = [...changes.edits.filter((edit) => edit.at < at), { at, change: 'figure' as const }];
  return { ...unchanged, edits };
}
