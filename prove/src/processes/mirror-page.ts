import { indexedDbStore } from '@daybook/client/mirror/indexed-db';

import type { LifeDemand, LifeLine } from '../mirror/follow-and-report.ts';
import { followAndReport, lineOf } from '../mirror/follow-and-report.ts';

/** Runs one life of a mirror in a page and posts its output to `tellTo`. */
export async function liveInPage(demand: LifeDemand, tellTo: string): Promise<void> {
  const openReader = (): ReturnType<typeof indexedDbStore> => indexedDbStore('mirror');
  const tell = async (line: LifeLine): Promise<void> => {
    await fetch(tellTo, { method: 'POST', body: lineOf(line) });
  };
  await followAndReport(demand, { store: openReader(), openReader, isFull: () => false }, tell);
}
