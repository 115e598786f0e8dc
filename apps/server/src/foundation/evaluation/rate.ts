/** A share of labelled rows with the interval that contains the true share in 95 of 100 samples of this size. */
export interface Rate {
  readonly name: string;
  readonly count: number;
  readonly of: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const z = 1.96;

/** The interval is Wilson's, which is also right for small samples and shares near 0 and 1. */
export function rateOf(name: string, count: number, of: number): Rate {
  if (of === 0) return { name, count, of, share: 0, low: 0, high: 1 };
  const share = count / of;
  const scale = 1 + z ** 2 / of;
  const middle = (share + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  return { name, count, of, share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

export function rateLine({ name, count, of, share, low, high }: Rate): string {
  const percent = (value: number): string => (100 * value).toFixed(1);
  return `${`${percent(share)} %`.padStart(7)}  ${`(${percent(low)}–${percent(high)})`.padEnd(13)} ${`${count}/${of}`.padStart(9)}  ${name}`;
}
