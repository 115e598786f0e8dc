const rowsPerRead = 500;

/** Every row of a list ordered by id, read in batches: only one of them is in memory. */
export async function* everyRow<Row extends { readonly id: string }>(
  read: (page: { readonly limit: number; readonly after?: string }) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let after: string | undefined;
  for (;;) {
    const rows = await read({ limit: rowsPerRead, ...(after !== undefined && { after }) });
    yield* rows;
    if (rows.length < rowsPerRead) return;
    after = rows.at(-1)?.id;
  }
}
