import type { Facts, Figure, Organization, Pair } from '../dispatch.ts';
import type { Cast, EventKind } from '../grammar/event-kind.ts';
import type { Quantity } from '../grammar/quantity.ts';
import { revised } from '../grammar/quantity.ts';
import { analysts, places, subjects } from '../grammar/subject-matter.ts';
import type { Scene } from '../grammar/template.ts';
import { fill } from '../grammar/template.ts';
import type { Micros } from '../instant.ts';
import { weekday } from '../instant.ts';
import { Random } from '../random.ts';
import type { Roster } from '../roster/roster.ts';
import type { StoryPlan } from './story-plan.ts';

/** An event: all its facts are decided here, and every dispatch reads them from here. */
export interface Event extends Scene {
  readonly kind: EventKind;
  readonly cast: Cast;
  /** The figure of the first dispatches. */
  readonly figure: Quantity;
  /** The value that a contradiction or a correction states instead. */
  readonly other: Quantity;
  readonly slots: Readonly<Record<string, Pair | Quantity>>;
}

const weekdays: readonly Pair[] = [
  ['Monday', '周一'],
  ['Tuesday', '周二'],
  ['Wednesday', '周三'],
  ['Thursday', '周四'],
  ['Friday', '周五'],
  ['Saturday', '周六'],
  ['Sunday', '周日'],
];

const editions = ['', '', '', ' Mini', ' Pro', ' Air', ' Ultra', ' Lite', ' Edge'] as const;

export function drawCast(
  random: Random,
  roster: Roster,
  organization = random.pick(roster.organizations),
): Cast {
  let rival = random.pick(roster.organizations);
  while (rival === organization) rival = random.pick(roster.organizations);
  const person = random.pick(roster.staff.get(organization) ?? roster.people);
  return { organization, rival, person, product: drawProduct(random, organization) };
}

/** The look-alike: everything the same but for the one who acts, the other side, or what it is about. */
export function twinCast(random: Random, roster: Roster, kind: EventKind, cast: Cast): Cast {
  if (kind.twinBy === 'task') return cast;
  if (kind.twinBy === 'product') {
    let { product } = cast;
    while (product === cast.product) product = drawProduct(random, cast.organization);
    return { ...cast, product };
  }
  let another = random.pick(roster.organizations);
  while (another === cast.organization || another === cast.rival) another = random.pick(roster.organizations);
  if (kind.twinBy === 'rival') return { ...cast, rival: another };
  return { ...drawCast(random, roster, another), rival: cast.rival };
}

function drawProduct(random: Random, organization: Organization): string {
  const version = random.chance(0.4)
    ? `${1 + random.below(8)}.${1 + random.below(9)}`
    : String(2 + random.below(9));
  return `${random.pick(organization.families)} ${version}${random.pick(editions)}`;
}

export interface Happening {
  readonly kind: EventKind;
  readonly cast: Cast;
  readonly startsAt: Micros;
  /** A look-alike states the other figure from the start. */
  readonly revise: boolean;
  /** No other dispatch follows, so it needs no other figure and no brief. */
  readonly alone?: boolean;
}

export function makeEvent(seed: Random, { kind, cast, startsAt, revise, alone = false }: Happening): Event {
  const drawn = kind.figure(seed, cast);
  const turned = alone ? drawn : revised(seed, drawn);
  const [figure, other] = revise ? [turned, drawn] : [drawn, turned];
  const turn = revise && kind.twinBy === 'task' ? 5 : 0;
  const at = (seed.below(subjects.length) + turn) % subjects.length;
  const subject = subjects[at] ?? subjects[0];
  const place = seed.pick(places);
  const slots: Record<string, Pair | Quantity> = {
    org: cast.organization.name,
    rival: cast.rival.name,
    product: [cast.product, cast.product],
    person: cast.person.name,
    job: cast.person.job,
    figure,
    other,
    figureName: kind.figureName,
    place: place.name,
    authority: place.authority,
    analyst: seed.pick(analysts),
    task: subject.task,
    // Another one, whatever the first is.
    task2: (subjects[(at + 1 + seed.below(subjects.length - 1)) % subjects.length] ?? subject).task,
    sector: seed.pick(subject.sectors),
    day: weekdays[weekday(startsAt) - 1] ?? ['today', '今日'],
    ...kind.slots(seed, cast, figure),
  };
  const event = { kind, cast, figure, other, slots, turn: seed.below(60) };
  if (!alone)
    slots['brief'] = [fill(kind.en.brief, event, 'en', seed), fill(kind.zh.brief, event, 'zh', seed)];
  return event;
}

/** What a dispatch states: the first figure, or the other one where it is disputed. */
export function statedFacts(event: Event, disputes: boolean): Facts {
  const { kind, cast } = event;
  return {
    kind: kind.name,
    subject: cast.organization.name[0],
    product: cast.product,
    person: cast.person.name[0],
    figures: [figureOf(kind, disputes ? event.other : event.figure)],
  };
}

export function figureOf(kind: EventKind, { value, unit, text }: Quantity): Figure {
  return { name: kind.figureName, value, unit, text };
}

const cachedEventsMax = 2048;

/** The events of recent stories: creating one costs as much as writing a dispatch. */
export class Events {
  readonly #cached = new Map<StoryPlan, Event>();

  of(story: StoryPlan): Event {
    let event = this.#cached.get(story);
    if (event === undefined) {
      const alone = story.position === null;
      event = makeEvent(new Random(...story.factSeed), { ...story, alone });
      if (alone) return event;
      const [oldest] = this.#cached.size < cachedEventsMax ? [] : this.#cached.keys();
      if (oldest !== undefined) this.#cached.delete(oldest);
      this.#cached.set(story, event);
    }
    return event;
  }
}
