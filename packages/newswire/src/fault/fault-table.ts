import type { Outlet } from '../dispatch.ts';
import type { Fault, FaultScope } from './fault.ts';

interface Rule {
  readonly fault: Fault;
  readonly scope: FaultScope;
  timesLeft: number;
}

/** Which faults each outlet has. */
export class FaultTable {
  readonly #rules = new Map<string, Rule[]>();

  /** Adds a fault to an outlet, by its key. */
  add(outlet: Pick<Outlet, 'key'>, fault: Fault, scope: FaultScope = {}): void {
    const rules = this.#rules.get(outlet.key) ?? [];
    rules.push({ fault, scope, timesLeft: scope.times ?? Infinity });
    this.#rules.set(outlet.key, rules);
  }

  /** Mends one outlet, or all of them. */
  clear(outlet?: Pick<Outlet, 'key'>): void {
    if (outlet === undefined) this.#rules.clear();
    else this.#rules.delete(outlet.key);
  }

  /** The faults that apply to this request, which consumes them. */
  take({ key }: Outlet, type: 'feed' | 'page', nowMs: number): readonly Fault[] {
    const holding = (this.#rules.get(key) ?? []).filter(({ scope, timesLeft }) => {
      const { on = 'feed', fromMs = -Infinity, untilMs = Infinity } = scope;
      return timesLeft > 0 && (on === 'all' || on === type) && nowMs >= fromMs && nowMs < untilMs;
    });
    for (const rule of holding) rule.timesLeft -= 1;
    return holding.map(({ fault }) => fault);
  }
}
