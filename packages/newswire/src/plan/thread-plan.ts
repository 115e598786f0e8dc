import type { EventKind } from '../grammar/event-kind.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import { storyKinds, successors } from '../kinds/event-kinds.ts';
import { Random } from '../random.ts';
import type { Roster } from '../roster/roster.ts';
import { threadName } from './dispatch-code.ts';
import { drawCast, twinCast } from './event.ts';
import type { Schedule } from './schedule.ts';
import type { StoryPlan } from './story-plan.ts';
import { planConfirmation, planDispatches, planRumour } from './story-plan.ts';

/**
 * A thread is the set of stories that start at one moment: a story, perhaps the stories that follow it in one
 * storyline, perhaps a look-alike, perhaps the rumour that came before. It is a pure function of seed, hour and
 * number, so it can be planned again without stored state.
 */
export function planThread(
  roster: Roster,
  schedule: Schedule,
  hour: number,
  nth: number,
): readonly StoryPlan[] {
  const random = new Random(schedule.seed, 2, hour, nth);
  const draw = random.unit();
  const kinds = storylineKinds(random);
  const rumoured = draw > 0.9 && kinds[0]?.en.rumour !== undefined;
  const begins = schedule.hourStart(hour) + Math.floor(random.unit() * microsPerHour);
  const named = begins + (rumoured ? Math.floor(random.between(5, 40) * microsPerHour) : 0);
  const stories = planStoryline(roster, schedule.seed, random, { hour, nth, kinds, startsAt: named });
  const [original] = stories;
  if (original !== undefined && draw < 0.08) addTwin(stories, original, roster, random);
  if (original !== undefined && rumoured) addRumour(stories, original, begins, roster, random);
  return stories.map((story) => ({
    ...story,
    // Dispatches after the last day are omitted.
    dispatches: story.dispatches.filter(({ discovered }) => discovered < schedule.endsAt),
  }));
}

interface Thread {
  readonly hour: number;
  readonly nth: number;
}

function planStoryline(
  roster: Roster,
  seed: number,
  random: Random,
  { hour, nth, kinds, startsAt: begins }: Thread & { kinds: readonly EventKind[]; startsAt: Micros },
): StoryPlan[] {
  const cast = drawCast(random, roster);
  const storylineKey = kinds.length > 1 ? `line-${threadName({ hour, nth })}` : null;
  let startsAt = begins;
  return kinds.map((kind, position) => {
    if (position > 0) startsAt += Math.floor(random.between(40, 210) * microsPerHour);
    const base: Omit<StoryPlan, 'dispatches'> = {
      key: storyKeyOf({ hour, nth }, position),
      hour,
      nth,
      position,
      storylineKey,
      twinOf: null,
      merges: null,
      kind,
      cast,
      factSeed: [seed, 4, hour, nth, position],
      revise: false,
      startsAt,
    };
    return { ...base, dispatches: planDispatches(random, shapesOf(base), roster, base) };
  });
}

function addTwin(stories: StoryPlan[], original: StoryPlan, roster: Roster, random: Random): void {
  const position = stories.length;
  const base = {
    ...original,
    key: storyKeyOf(original, position),
    position,
    storylineKey: null,
    twinOf: original.key,
    cast: twinCast(random, roster, original.kind, original.cast),
    revise: true,
    startsAt: original.startsAt + Math.floor(random.between(2, 60) * microsPerHour),
  };
  stories[0] = { ...original, twinOf: base.key };
  stories.push({ ...base, dispatches: planDispatches(random, shapesOf(original), roster, base) });
}

function addRumour(
  stories: StoryPlan[],
  original: StoryPlan,
  begins: Micros,
  roster: Roster,
  random: Random,
): void {
  const position = stories.length;
  const confirmation = planConfirmation(
    random,
    new Random(original.factSeed[0], 6, original.hour, original.nth),
    roster,
    original,
  );
  const base: StoryPlan = {
    ...original,
    key: storyKeyOf(original, position),
    position,
    storylineKey: null,
    merges: { into: original.key, at: confirmation.discovered },
    startsAt: begins,
  };
  const shapes = new Random(original.factSeed[0], 6, original.hour, original.nth, 1);
  stories[0] = {
    ...original,
    dispatches: [...original.dispatches, confirmation].sort(
      (one, other) => one.discovered - other.discovered,
    ),
  };
  stories.push({ ...base, dispatches: planRumour(random, shapes, roster, base) });
}

function storyKeyOf(thread: Thread, position: number): string {
  return `story-${threadName(thread)}-${position}`;
}

/** Chooses templates; a look-alike has those of its sibling. */
function shapesOf({ factSeed: [seed, , hour, nth, position] }: Pick<StoryPlan, 'factSeed'>): Random {
  return new Random(seed, 5, hour, nth, position);
}

function storylineKinds(random: Random): EventKind[] {
  const kinds = [random.pick(storyKinds)];
  for (const chance of [0.36, 0.28]) {
    const last = kinds.at(-1);
    const next = last === undefined ? [] : successors(last).filter((kind) => !kinds.includes(kind));
    if (next.length === 0 || !random.chance(chance)) break;
    kinds.push(random.pick(next));
  }
  return kinds;
}
