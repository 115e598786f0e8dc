/** One answer: what was said and whether it held. */
export interface Outcome {
  readonly confidence: number;
  readonly right: boolean;
}

/** Expected calibration error: the gap between said and right, averaged over ten bands by their size. */
export function calibrationError(outcomes: readonly Outcome[], bandCount = 10): number {
  let gap = 0;
  for (let band = 0; band < bandCount; band += 1) {
    const inside = outcomes.filter(
      ({ confidence }) => Math.min(bandCount - 1, Math.floor(confidence * bandCount)) === band,
    );
    if (inside.length === 0) continue;
    const said = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
    const right = inside.filter((outcome) => outcome.right).length / inside.length;
    gap += (Math.abs(said - right) * inside.length) / outcomes.length;
  }
  return gap;
}
