export interface Point {
  readonly size: number;
  readonly value: number;
}

/** The least-squares line through the points, at this size. */
export function extrapolate(points: readonly Point[], size: number): number {
  const mean = (valueOf: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + valueOf(point), 0) / points.length;
  const [sizes, values] = [mean((point) => point.size), mean((point) => point.value)];
  const together = mean((point) => (point.size - sizes) * (point.value - values));
  const slope = together / mean((point) => (point.size - sizes) ** 2);
  return values + slope * (size - sizes);
}
