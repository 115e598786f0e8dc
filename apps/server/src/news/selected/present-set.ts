import type { recorded } from '../../record/index.ts';
import { items } from '../../record/index.ts';

/** What a mirror compares with its copy. */
export function presentSet({ setSize, setHash }: recorded.LedgerHead): object {
  return { version: items.setVersion, size: Number(setSize), hash: presentSum(setHash) };
}

/** A sum of digests below 2^256. */
export function presentSum(sum: bigint): string {
  return sum.toString(16).padStart(64, '0');
}
