import type { EventKind } from '../grammar/event-kind.ts';
import { microsPerHour } from '../instant.ts';
import { storyKinds, successors } from '../kinds/event-kinds.ts';
import { Random } from '../random.ts';
import type { Roster } from '../roster/roster.ts';
import { drawCast, twinCast } from './event.ts';
import type { Schedule } from './schedule.ts';
import type { StoryPlan } from './story-plan.ts';
import { planReports } from './story-plan.ts';

/**
 * A thread is what one moment sets off: a story, perhaps the stories that follow it in one storyline, perhaps a
 * look-alike. It is a pure function of seed, hour and number, so nothing has to be remembered to tell it again.
 */
export function planThread(
  roster: Roster,
  schedule: Schedule,
  hour: number,
  nth: number,
): readonly StoryPlan[] {
  const { seed } = schedule;
  const random = new Random(seed, 2, hour, nth);
  const cast = drawCast(random, roster);
  const kinds = storylineKinds(random);
  const thread = `${hour.toString(36)}-${nth.toString(36)}`;
  const storylineKey = kinds.length > 1 ? `line-${thread}` : null;
  const hasTwin = random.chance(0.08);
  const storyKey = (index: number): string => `story-${thread}-${index}`;
  let startsAt = schedule.hourStart(hour) + Math.floor(random.unit() * microsPerHour);
  const stories = kinds.map((kind, index) => {
    if (index > 0) startsAt += Math.floor(random.between(40, 210) * microsPerHour);
    const twinOf = hasTwin && index === 0 ? storyKey(kinds.length) : null;
    const base = { key: storyKey(index), storylineKey, twinOf, kind, cast, startsAt, revise: false };
    const reports = planReports(random, new Random(seed, 5, hour, nth, index), roster, base);
    return { ...base, factSeed: [seed, 4, hour, nth, index] as const, reports };
  });
  const [original] = stories;
  if (!hasTwin || original === undefined) return withinWorld(stories, schedule);
  const twin = {
    ...original,
    key: storyKey(kinds.length),
    storylineKey: null,
    twinOf: original.key,
    cast: twinCast(random, roster, original.kind, cast),
    revise: true,
    startsAt: original.startsAt + Math.floor(random.between(2, 60) * microsPerHour),
  };
  const reports = planReports(random, new Random(seed, 5, hour, nth, 0), roster, twin);
  return withinWorld([...stories, { ...twin, reports }], schedule);
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

/** What would be found after the last day is never found. */
function withinWorld(stories: readonly StoryPlan[], schedule: Schedule): readonly StoryPlan[] {
  return stories.map((story) => ({
    ...story,
    reports: story.reports.filter(({ discovered }) => discovered < schedule.endsAt),
  }));
}
