import type { MirroredItem } from './mirror-store.ts';

/** Reads a copy page by page: an item that is stored meanwhile may be left out. */
export async function* eachInPages(
  read: (after: string) => Promise<readonly MirroredItem[]> | readonly MirroredItem[],
): AsyncGenerator<MirroredItem> {
  for (let after = ''; ;) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.item.id;
  }
}
