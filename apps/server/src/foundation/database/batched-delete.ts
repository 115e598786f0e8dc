/**
 * Repeats a DELETE of at most `rows` rows until one finds fewer, and returns the number of deleted rows.
 * However many rows have accumulated, each statement stays far from its time-out and locks rows only briefly.
 */
export async function deleteInBatches(
  deleteBatch: (rows: number) => Promise<number>,
  { rows = 1_000, batchesMax = Infinity }: { readonly rows?: number; readonly batchesMax?: number } = {},
): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const found = await deleteBatch(rows);
    deleted += found;
    if (found < rows) break;
  }
  return deleted;
}
