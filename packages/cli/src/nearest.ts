/** The known word that differs in at most a third of its letters, if any; the first of several. */
export function nearest(written: string, known: readonly string[]): string | null {
  let best: { readonly word: string; readonly distance: number } | null = null;
  for (const word of known) {
    const distance = editDistance(written.toLowerCase(), word.toLowerCase());
    if (distance <= Math.max(1, Math.ceil(word.length / 3)) && distance < (best?.distance ?? Infinity))
      best = { word, distance };
  }
  return best?.word ?? null;
}

/** Insertions, deletions, replacements and exchanges of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const at = (back: number, left: number): number => rows[i - back]?.[j - left] ?? Infinity;
      const replaced = at(1, 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchange = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(Math.min(at(1, 0) + 1, (row[j - 1] ?? 0) + 1, replaced, isExchange ? at(2, 2) + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? Infinity;
}
