import type { Cast, EventKind } from '../grammar/event-kind.ts';
import type { Quantity } from '../grammar/quantity.ts';
import { quantity, revised } from '../grammar/quantity.ts';
import { analysts, authorities, places, sectors, tasks } from '../grammar/subject-matter.ts';
import type { Scene } from '../grammar/template.ts';
import { fill } from '../grammar/template.ts';
import type { Micros } from '../instant.ts';
import { weekday } from '../instant.ts';
import type { Random } from '../random.ts';
import type { Facts, Organization, Pair } from '../report.ts';
import type { Roster } from '../roster/roster.ts';

/** Something that happened: all its facts are settled here, and every report takes them from here. */
export interface Event extends Scene {
  readonly kind: EventKind;
  readonly cast: Cast;
  /** What the first reports say. */
  readonly figure: Quantity;
  /** What a contradiction or a correction says instead. */
  readonly other: Quantity;
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
  /** Nothing else will be said about it, so it needs no other figure and no brief. */
  readonly alone?: boolean;
}

export function makeEvent(seed: Random, { kind, cast, startsAt, revise, alone = false }: Happening): Event {
  const drawn = quantity(seed, ...kind.figure);
  const other = alone ? drawn : revised(seed, drawn);
  const figure = revise ? other : drawn;
  const slots: Record<string, Pair> = {
    org: cast.organization.name,
    rival: cast.rival.name,
    product: [cast.product, cast.product],
    person: cast.person.name,
    job: cast.person.job,
    figure: figure.text,
    other: revise ? drawn.text : other.text,
    figureName: kind.figureName,
    place: seed.pick(places),
    analyst: seed.pick(analysts),
    task: tasks[(seed.below(tasks.length) + (revise && kind.twinBy === 'task' ? 5 : 0)) % tasks.length] ?? [
      '',
      '',
    ],
    sector: seed.pick(sectors),
    authority: seed.pick(authorities),
    day: weekdays[weekday(startsAt) - 1] ?? ['today', '今日'],
    ...kind.slots(seed, cast),
  };
  const event = { kind, cast, figure, other: revise ? drawn : other, slots, turn: seed.below(60) };
  if (!alone)
    slots['brief'] = [fill(kind.en.brief, event, 'en', seed), fill(kind.zh.brief, event, 'zh', seed)];
  return event;
}

/** What a report states: the first figure, or both once it is disputed. */
export function statedFacts(event: Event, disputes: boolean): Facts {
  const { kind, cast } = event;
  const { value, unit } = disputes ? event.other : event.figure;
  return {
    kind: kind.name,
    subject: cast.organization.name[0],
    product: cast.product,
    person: cast.person.name[0],
    figures: [{ name: kind.figureName, value, unit }],
  };
}
