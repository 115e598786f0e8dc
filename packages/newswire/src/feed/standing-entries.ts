import type { Outlet } from '../dispatch.ts';
import type { Planner } from '../plan/planner.ts';
import { outletTraits } from '../site/outlet-traits.ts';
import type { DispatchWriter } from '../text/dispatch-writer.ts';
import { FeedIndex } from './feed-index.ts';

/** One entry of one feed, and the span in which it was listed. Times are milliseconds of the world's clock. */
export interface StandingEntry {
  readonly outlet: Outlet;
  /** The dispatch that the entry is, or, in an aggregator's feed, that it links to. */
  readonly dispatchKey: string;
  /** Address of the article, without an aggregator's marks. */
  readonly address: string;
  readonly fromMs: number;
  /** Infinite if it is still listed at the end of the span. */
  readonly untilMs: number;
  /** When it was edited while it was listed. */
  readonly editedMs: readonly number[];
}

/** Every entry that was in its outlet's feed at some moment of a span. */
export function* standingEntries(
  planner: Planner,
  writer: DispatchWriter,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Generator<StandingEntry, void, undefined> {
  const [from, to] = [fromMs * 1000, toMs * 1000];
  const lists = new FeedIndex(planner).between(from, to);
  for (const outlet of planner.roster.outlets) {
    const { feedSize } = outletTraits(writer.seed, outlet);
    const list = lists[outlet.index] ?? [];
    for (const [at, { code, appears, removed, edited }] of list.entries()) {
      const pushedOut = list[at + feedSize]?.appears ?? Infinity;
      const until = Math.min(removed, pushedOut);
      if (appears > to || until <= from || until <= appears) continue;
      const planned = planner.byCode(code);
      if (planned === undefined) continue;
      yield {
        outlet,
        dispatchKey: planned.key,
        address: writer.address(planned),
        fromMs: appears / 1000,
        untilMs: until > to ? Infinity : until / 1000,
        editedMs: edited.filter((moment) => moment < until && moment <= to).map((moment) => moment / 1000),
      };
    }
  }
}
