/** One measured number, the number it is compared with and whether it meets its goal. */
export interface Figure {
  readonly suite: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same measure taken on the bare engine in the same run. */
  readonly bare: number | null;
  /** Ours over bare: the median over the rounds. It decides whether the goal is reached. */
  readonly ratio: number | null;
  /** 95 % interval of that median: how sure it is. */
  readonly interval: readonly [number, number] | null;
  /** As a person reads it: `>= 0.90`, `= 0`, or null where the figure only informs. */
  readonly goal: string | null;
  /** null without a goal. */
  readonly holds: boolean | null;
  /** The goal is missed by more than the noise of a shared machine explains. */
  readonly fails: boolean;
  /** docs/benchmarks.md shows it although it has no goal. */
  readonly isRecorded: boolean;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number } | { readonly exactly: number };

export interface FigureInput {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: Goal;
  /** Benchmarks only: docs/benchmarks.md shows it also without a goal. */
  readonly isRecorded?: true;
  /** Benchmarks only. As in `RatioInput`, without slack: the figure does not sway with the machine. */
  readonly reached?: number;
}

export interface RatioInput {
  readonly name: string;
  readonly unit: string;
  /** Paired rounds: ours and bare measured next to each other. */
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
  /** The reached value of a goal known to be missed: it still counts as missed, and the check guards this. */
  readonly reached?: number;
}

export function goalText(goal: Goal): string {
  if ('atLeast' in goal) return `>= ${goal.atLeast}`;
  if ('atMost' in goal) return `<= ${goal.atMost}`;
  return `= ${goal.exactly}`;
}

export function meets(goal: Goal, value: number): boolean {
  if ('atLeast' in goal) return value >= goal.atLeast;
  if ('atMost' in goal) return value <= goal.atMost;
  return value === goal.exactly;
}
