import type { Grouping } from './grouping-scores.ts';
import type { LabelledItem, LabelledSet } from './labelled-set.ts';

type Vector = ReadonlyMap<string, number>;

interface Group {
  readonly key: string;
  readonly sum: Map<string, number>;
  latestRow: number;
}

/**
 * The baseline of the method: words and Chinese bigrams of the titles weighted by tf-idf over the whole set; each
 * item in turn joins the group whose centroid is nearest, if its cosine reaches the threshold.
 */
export function groupByTfIdf(set: LabelledSet, threshold: number): Grouping {
  const vectors = tfIdfVectors(set.items);
  const groups: Group[] = [];
  const grouping = new Map<string, string>();
  for (const [row, item] of set.items.entries()) {
    const vector = vectors[row] as Vector;
    let best: { readonly group: Group; readonly similarity: number } | null = null;
    for (const group of groups) {
      if (row - group.latestRow > set.windowRows) continue;
      const similarity = cosine(vector, group.sum);
      if (best === null || similarity > best.similarity) best = { group, similarity };
    }
    let joined = best?.group;
    if (best === null || best.similarity < threshold || joined === undefined) {
      joined = { key: item.id, sum: new Map(), latestRow: row };
      groups.push(joined);
    }
    for (const [term, weight] of vector) joined.sum.set(term, (joined.sum.get(term) ?? 0) + weight);
    joined.latestRow = row;
    grouping.set(item.id, joined.key);
  }
  return grouping;
}

function tfIdfVectors(items: readonly LabelledItem[]): readonly Vector[] {
  const counted = items.map(({ title }) => countTerms(title));
  const documentFrequency = new Map<string, number>();
  for (const terms of counted) {
    for (const term of terms.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
  }
  return counted.map((terms) => {
    const weights = [...terms].map(([term, count]): [string, number] => {
      const found = documentFrequency.get(term) ?? 1;
      return [term, (1 + Math.log(count)) * (Math.log((1 + items.length) / (1 + found)) + 1)];
    });
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    return new Map(weights.map(([term, weight]) => [term, weight / length]));
  });
}

function countTerms(title: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [run] of title.toLowerCase().matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+/gu)) {
    const terms = /\p{Script=Han}/u.test(run) ? bigrams(run) : [run];
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

function bigrams(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

function cosine(vector: Vector, sum: Vector): number {
  let [product, length] = [0, 0];
  for (const [term, weight] of vector) product += weight * (sum.get(term) ?? 0);
  for (const weight of sum.values()) length += weight * weight;
  return length === 0 ? 0 : product / Math.sqrt(length);
}
