/** What the trained model is compared with: words weighted by TF-IDF, and the nearer of two centroids. */
export interface WordClassifier {
  /** Above 0: rather positive. */
  readonly scoreOf: (title: string) => number;
}

export function trainTfIdf(
  texts: readonly { readonly title: string; readonly positive: boolean }[],
): WordClassifier {
  const documents = texts.map(({ title, positive }) => ({ words: wordsOf(title), positive }));
  const counts = new Map<string, number>();
  for (const { words } of documents) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => Math.log((1 + documents.length) / (1 + (counts.get(word) ?? 0)));
  const centroids = [true, false].map((side) => {
    const mine = documents.filter(({ positive }) => positive === side);
    const sums = new Map<string, number>();
    for (const { words } of mine) {
      const length = Math.hypot(...[...words].map(weightOf)) || 1;
      for (const word of words) sums.set(word, (sums.get(word) ?? 0) + weightOf(word) / length);
    }
    const norm = Math.hypot(...sums.values()) || 1;
    return new Map(Array.from(sums, ([word, sum]) => [word, sum / norm]));
  });
  return {
    scoreOf: (title) => {
      const [near = 0, far = 0] = centroids.map((centroid) =>
        [...wordsOf(title)].reduce((sum, word) => sum + weightOf(word) * (centroid.get(word) ?? 0), 0),
      );
      return near - far;
    },
  };
}

/** Words; of Chinese, pairs of characters. */
function wordsOf(title: string): ReadonlySet<string> {
  const words = title.toLowerCase().match(/[\p{Script=Latin}\p{N}]+/gu) ?? [];
  const pairs = Array.from(title.matchAll(/(?=(\p{Script=Han}{2}))/gu), ([, pair]) => pair ?? '');
  return new Set([...words, ...pairs]);
}
