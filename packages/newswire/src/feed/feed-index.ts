import type { Outlet } from '../dispatch.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import type { DispatchCode } from '../plan/dispatch-code.ts';
import { findingTakesMax } from '../plan/dispatch-plan.ts';
import { PlanStream } from '../plan/plan-stream.ts';
import type { Planned, Planner } from '../plan/planner.ts';
import { Random } from '../random.ts';
import { outletTraits } from '../site/outlet-traits.ts';

/** One entry of one outlet's feed: its subject, and the span in which it can be listed. */
export interface IndexedEntry {
  readonly code: DispatchCode;
  readonly appears: Micros;
  /** When its publisher takes it out of the feed; infinite for nearly all. */
  readonly removed: Micros;
  /** When it changes while it is listed. */
  readonly edited: readonly Micros[];
}

/** A feed at one moment. */
export interface Standing {
  /** Newest first. */
  readonly entries: readonly IndexedEntry[];
  /** The time of the last change until then; 0 for a feed that never had an entry. */
  readonly changed: Micros;
}

/** How far back a feed can still be requested. */
const memory = microsPerHour;

/**
 * The entries of each feed. Reads the world forward with time and stores the current entries of each outlet's feed;
 * a request for an earlier time than it remembers restarts it.
 */
export class FeedIndex {
  readonly #planner: Planner;
  readonly #aggregators: readonly Outlet[];
  #lists: IndexedEntry[][] = [];
  #plans: Iterator<Planned> | undefined;
  #next: Planned | undefined;
  #readTo: Micros = -Infinity;

  constructor(planner: Planner) {
    this.#planner = planner;
    this.#aggregators = planner.roster.outlets.filter(isAggregator);
  }

  at(outlet: Outlet, at: Micros): Standing {
    this.#advance(at);
    const list = this.#lists[outlet.index] ?? [];
    const online = list.findLastIndex(({ appears }) => appears <= at) + 1;
    const held = list.slice(Math.max(0, online - outletTraits(this.#seed, outlet).feedSize), online);
    return {
      entries: held.filter(({ removed }) => removed > at).reverse(),
      changed: changedAt(outlet, held, at),
    };
  }

  /** Everything that is or was in any feed at some moment of the span, by outlet, in order of appearance. */
  between(from: Micros, to: Micros): readonly (readonly IndexedEntry[])[] {
    this.#advance(from);
    this.#readUntil(to);
    return this.#planner.roster.outlets.map(({ index }) => this.#lists[index] ?? []);
  }

  get #seed(): number {
    return this.#planner.schedule.seed;
  }

  #advance(at: Micros): void {
    if (this.#plans === undefined || at < this.#readTo - memory) {
      this.#plans = new PlanStream(this.#planner).dispatches();
      this.#next = this.#pull();
      this.#lists = this.#planner.roster.outlets.map(() => []);
    }
    this.#readUntil(at);
    this.#readTo = Math.max(this.#readTo, at);
  }

  #readUntil(at: Micros): void {
    while (this.#next !== undefined && this.#next.plan.discovered <= at + findingTakesMax) {
      this.#add(this.#next);
      this.#next = this.#pull();
    }
  }

  #pull(): Planned | undefined {
    const { done, value } = this.#plans?.next() ?? { done: true };
    return done === true ? undefined : value;
  }

  #add(planned: Planned): void {
    const { code, plan } = planned;
    const { appears, changes } = plan;
    const removed = Math.min(changes.withdrawn ?? Infinity, changes.vanishes ?? Infinity);
    const edited = changes.edits.map(({ at }) => at);
    this.#insert(plan.outlet, { code, appears, removed, edited });
    for (const { aggregator, at } of this.#pickUps(planned)) {
      if (at < removed) this.#insert(aggregator, { code, appears: at, removed: Infinity, edited: [] });
    }
  }

  #insert(outlet: Outlet, entry: IndexedEntry): void {
    const list = this.#lists[outlet.index];
    if (list === undefined) return;
    const after = list.findLastIndex(({ appears }) => appears <= entry.appears);
    list.splice(after + 1, 0, entry);
    const { feedSize } = outletTraits(this.#seed, outlet);
    // Entries that left the feed before the remembered time are deleted.
    const past = list.findLastIndex(({ appears }) => appears < this.#readTo - memory) + 1;
    if (past > 2 * feedSize) list.splice(0, past - feedSize);
  }

  /** Aggregators that link to a dispatch, and when. */
  #pickUps({ code, plan }: Planned): { readonly aggregator: Outlet; readonly at: Micros }[] {
    if (this.#aggregators.length === 0) return [];
    const random = new Random(this.#seed, 22, code % 2 ** 26, Math.floor(code / 2 ** 26));
    const wanted = Math.max(0, random.below(4) - 1);
    const found: { aggregator: Outlet; at: Micros }[] = [];
    for (let nth = 0; nth < wanted; nth += 1) {
      const aggregator = random.pick(this.#aggregators);
      const at = plan.appears + Math.floor(random.between(0.1, 5) * microsPerHour);
      const taken = found.some((one) => one.aggregator === aggregator);
      if (!taken && aggregator.language === plan.outlet.language) found.push({ aggregator, at });
    }
    return found;
  }
}

export function isAggregator({ shape }: Outlet): boolean {
  return shape === 'discussion' || shape === 'headlines' || shape === 'planet';
}

const pointsEvery = microsPerHour / 2;

function changedAt({ shape }: Outlet, held: readonly IndexedEntry[], at: Micros): Micros {
  // A discussion board counts points, which change all the time.
  let latest = shape === 'discussion' ? Math.floor(at / pointsEvery) * pointsEvery : 0;
  for (const { appears, removed, edited } of held) {
    for (const moment of [appears, removed, ...edited]) if (moment <= at && moment > latest) latest = moment;
  }
  return latest;
}
