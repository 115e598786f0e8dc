import type { Outlet, OutletShape, Role } from '../dispatch.ts';
import type { Cast, EventKind } from '../grammar/event-kind.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import type { Random } from '../random.ts';
import type { Roster } from '../roster/roster.ts';
import { planChanges, withCorrectedFigure } from './changes-plan.ts';
import type { DispatchPlan } from './dispatch-plan.ts';
import { pickOutlet, timing } from './dispatch-plan.ts';

/** One story: its participants, its kind of event, and every dispatch about it. */
export interface StoryPlan {
  readonly key: string;
  readonly hour: number;
  readonly nth: number;
  /** Its position in its thread; null for a single item, which is no story. */
  readonly position: number | null;
  readonly storylineKey: string | null;
  readonly twinOf: string | null;
  /** The story that this one, at first without a name, turns out to be; and when that becomes known. */
  readonly merges: Merge | null;
  readonly kind: EventKind;
  readonly cast: Cast;
  /** Draws the facts of the event. A twin has its sibling's, with one fact turned. */
  readonly factSeed: readonly [seed: number, purpose: number, hour: number, nth: number, part: number];
  readonly revise: boolean;
  readonly startsAt: Micros;
  readonly dispatches: readonly DispatchPlan[];
}

export interface Merge {
  readonly into: string;
  readonly at: Micros;
}

interface Placement {
  readonly outlet?: Outlet | undefined;
  readonly source?: DispatchPlan;
  readonly against?: number;
  readonly ordinal?: number;
}

/** Collects the dispatches of one story, in the order in which they are thought of. */
class Coverage {
  readonly dispatches: DispatchPlan[] = [];
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

  add(role: Role, appears: Micros, placement: Placement = {}): DispatchPlan {
    const random = this.#random;
    const index = this.dispatches.length;
    const { source } = placement;
    const outlet =
      placement.outlet ?? pickOutlet(random, this.#roster, this.#cast.organization, this.dispatches);
    const times = timing(random, appears);
    const wording = this.#shapes.bits();
    const dispatch: DispatchPlan = {
      index,
      role,
      outlet,
      translated: role !== 'companion' && random.chance(0.1),
      ...times,
      group: source?.group ?? index,
      ordinal: source?.ordinal ?? placement.ordinal ?? 0,
      against: placement.against ?? null,
      shape: source?.shape ?? this.#shapes.bits(),
      wording,
      changes: planChanges(wording, outlet.shape, times.appears),
    };
    this.dispatches.push(dispatch);
    return dispatch;
  }

  reprint(source: DispatchPlan, most: number): void {
    const count = Math.floor(this.#random.unit() ** 1.6 * (most + 1));
    for (let nth = 0; nth < count; nth += 1) {
      const delay = this.#random.unit() ** 2 * 14 + 0.2;
      this.add('reprint', source.discovered + delay * microsPerHour, { source });
    }
  }

  /** The same event in another form, where the world has such an outlet. */
  companion(outlets: readonly Outlet[], appears: Micros): void {
    if (outlets.length > 0) this.add('companion', appears, { outlet: this.#random.pick(outlets) });
  }

  correct(mistaken: DispatchPlan, appears: Micros): void {
    const placement = { outlet: mistaken.outlet, against: mistaken.index };
    const correction = this.add('correction', appears, placement);
    this.dispatches[mistaken.index] = {
      ...mistaken,
      changes: withCorrectedFigure(mistaken.changes, correction.appears),
    };
    this.dispatches[correction.index] = {
      ...correction,
      changes: { edits: [], withdrawn: null, vanishes: null },
    };
  }

  inOrder(): readonly DispatchPlan[] {
    return this.dispatches.toSorted((one, other) => one.discovered - other.discovered);
  }
}

export function planDispatches(
  random: Random,
  shapes: Random,
  roster: Roster,
  story: Pick<StoryPlan, 'kind' | 'cast' | 'startsAt'>,
): readonly DispatchPlan[] {
  const { kind, cast, startsAt } = story;
  const coverage = new Coverage(random, shapes, roster, cast);
  const blog = kind.announced && random.chance(0.45) ? roster.blogs.get(cast.organization) : undefined;
  const first = coverage.add('first', startsAt, { outlet: blog });
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
    const mistaken = random.pick(coverage.dispatches.filter(({ group }) => group === first.group));
    coverage.correct(mistaken, mistaken.discovered + random.between(1, 20) * microsPerHour);
  }
  addCompanions(coverage, random, roster, story, after);
  return coverage.inOrder();
}

function addCompanions(
  coverage: Coverage,
  random: Random,
  roster: Roster,
  { kind, cast }: Pick<StoryPlan, 'kind' | 'cast'>,
  after: (low: number, high: number) => Micros,
): void {
  const channels = (shape: OutletShape): readonly Outlet[] =>
    roster.channels(shape, random.chance(0.7) ? cast.organization.home : 'en');
  if (kind.name === 'paper' && random.chance(0.7))
    coverage.companion(roster.channels('preprints', 'en'), after(0.1, 6));
  const repository = roster.repositories.get(cast.organization);
  if (kind.name === 'open-weights' || (kind.name === 'model-release' && random.chance(0.3)))
    coverage.companion(repository === undefined ? [] : [repository], after(0.1, 4));
  if (random.chance(0.1)) coverage.companion(channels('video'), after(3, 40));
  if (random.chance(0.06)) coverage.companion(channels('podcast'), after(10, 70));
}

/** The event before the organization is named: one dispatch and its reprints. */
export function planRumour(
  random: Random,
  shapes: Random,
  roster: Roster,
  story: Pick<StoryPlan, 'cast' | 'startsAt'>,
): readonly DispatchPlan[] {
  const coverage = new Coverage(random, shapes, roster, story.cast);
  coverage.reprint(coverage.add('first', story.startsAt), 3);
  return coverage.inOrder();
}

/** The dispatch that names the organization of the rumour, added to the story with the name. */
export function planConfirmation(
  random: Random,
  shapes: Random,
  roster: Roster,
  story: StoryPlan,
): DispatchPlan {
  const coverage = new Coverage(random, shapes, roster, story.cast);
  const [first] = story.dispatches;
  const appears = (first?.discovered ?? story.startsAt) + random.between(1, 9) * microsPerHour;
  const plan = coverage.add('confirmation', appears);
  const index = Math.max(...story.dispatches.map((dispatch) => dispatch.index)) + 1;
  return { ...plan, index, group: index, changes: { edits: [], withdrawn: null, vanishes: null } };
}
