import type { Cast, EventKind } from '../grammar/event-kind.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import type { Random } from '../random.ts';
import type { Outlet, Role } from '../report.ts';
import type { Roster } from '../roster/roster.ts';
import type { ReportPlan } from './report-plan.ts';
import { pickOutlet, timing } from './report-plan.ts';

/** One story: who, what kind of event, and every report that will be written about it. */
export interface StoryPlan {
  readonly key: string;
  readonly storylineKey: string | null;
  readonly twinOf: string | null;
  readonly kind: EventKind;
  readonly cast: Cast;
  /** Draws the facts of the event. A twin has its sibling's, with one fact turned. */
  readonly factSeed: readonly [seed: number, purpose: number, hour: number, nth: number, part: number];
  readonly revise: boolean;
  readonly startsAt: Micros;
  readonly reports: readonly ReportPlan[];
}

/** Collects the reports of one story, in the order in which they are thought of. */
class Coverage {
  readonly reports: ReportPlan[] = [];
  readonly #random: Random;
  readonly #roster: Roster;
  readonly #cast: Cast;
  readonly #shapes: Random;

  constructor(random: Random, shapes: Random, roster: Roster, cast: Cast) {
    this.#random = random;
    this.#roster = roster;
    this.#cast = cast;
    this.#shapes = shapes;
  }

  add(
    role: Role,
    written: Micros,
    options: { outlet?: Outlet; source?: ReportPlan; against?: number; ordinal?: number } = {},
  ): ReportPlan {
    const random = this.#random;
    const index = this.reports.length;
    const report: ReportPlan = {
      index,
      role,
      outlet: options.outlet ?? pickOutlet(random, this.#roster, this.#cast.organization, this.reports),
      translated: random.chance(0.1),
      ...timing(random, written),
      group: options.source?.group ?? index,
      ordinal: options.source?.ordinal ?? options.ordinal ?? 0,
      against: options.against ?? null,
      shape: options.source?.shape ?? this.#shapes.bits(),
      wording: this.#shapes.bits(),
    };
    this.reports.push(report);
    return report;
  }

  reprint(source: ReportPlan, most: number): void {
    const count = Math.floor(this.#random.unit() ** 1.6 * (most + 1));
    for (let nth = 0; nth < count; nth += 1) {
      const delay = this.#random.unit() ** 2 * 14 + 0.2;
      this.add('reprint', source.discovered + delay * microsPerHour, { source });
    }
  }
}

export function planReports(
  random: Random,
  shapes: Random,
  roster: Roster,
  story: Pick<StoryPlan, 'kind' | 'cast' | 'startsAt'>,
): readonly ReportPlan[] {
  const { kind, cast, startsAt } = story;
  const coverage = new Coverage(random, shapes, roster, cast);
  const blog = kind.announced && random.chance(0.45) ? roster.blogs.get(cast.organization) : undefined;
  const first = coverage.add('first', startsAt, blog === undefined ? {} : { outlet: blog });
  coverage.reprint(first, 5);
  const after = (low: number, high: number): Micros =>
    first.discovered + random.between(low, high) * microsPerHour;
  const followUps = random.below(4) - (random.chance(0.4) ? 1 : 0);
  for (let nth = 0; nth < followUps; nth += 1)
    coverage.reprint(coverage.add('follow-up', after(4, 84), { ordinal: nth }), 1.3);
  if (random.chance(0.16)) {
    coverage.reprint(coverage.add('contradiction', after(16, 72), { against: first.index }), 1.5);
  }
  if (random.chance(0.12)) {
    const mistaken = random.pick(coverage.reports.filter(({ group }) => group === first.group));
    const written = mistaken.discovered + random.between(1, 20) * microsPerHour;
    coverage.add('correction', written, { outlet: mistaken.outlet, against: mistaken.index });
  }
  return coverage.reports.toSorted((one, other) => one.discovered - other.discovered);
}
