import { indexedDbStore } from '@daybook/client/mirror/indexed-db';

import type { LifeDemand, LifeLine } from '../mirror/follow-and-tell.ts';
import { followAndTell, lineOf } from '../mirror/follow-and-tell.ts';

/** What a page tells the server it came from, where it lives and what it is to do. */
export async function liveInPage(demand: LifeDemand, tellTo: string): Promise<void> {
  const openReader = (): ReturnType<typeof indexedDbStore> => indexedDbStore('mirror');
  const tell = async (line: LifeLine): Promise<void> => {
    await fetch(tellTo, { method: 'POST', body: lineOf(line) });
  };
  await followAndTell(demand, { store: openReader(), openReader, isFull: () => false }, tell);
}
