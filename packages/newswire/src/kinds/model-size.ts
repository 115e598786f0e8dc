import type { Cast } from '../grammar/event-kind.ts';
import type { Quantity } from '../grammar/quantity.ts';
import { quantity } from '../grammar/quantity.ts';
import type { Random } from '../random.ts';

type Range = readonly [low: number, high: number];

/** The size of a model fits its name: a Mini is small, an Ultra is large. */
export function modelSize(
  random: Random,
  { product }: Cast,
  sizes: { readonly small: Range; readonly usual: Range; readonly large: Range },
): Quantity {
  let range = sizes.usual;
  if (/Mini|Lite|Edge|Air/.test(product)) range = sizes.small;
  if (/Pro|Ultra/.test(product)) range = sizes.large;
  return quantity(random, 'parameters', ...range);
}
