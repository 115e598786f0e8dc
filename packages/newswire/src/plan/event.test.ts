import { expect, test } from 'vitest';

import { fillSentence } from '../grammar/template.ts';
import { storyKinds } from '../kinds/event-kinds.ts';
import { Random } from '../random.ts';
import { createRoster } from '../roster/roster.ts';
import { drawCast, makeEvent, twinCast } from './event.ts';

const roster = createRoster({ seed: 3 });
const kinds = [...new Set(storyKinds)];

test('never gives a look-alike the title of the event that it resembles', () => {
  const same: string[] = [];
  for (const kind of kinds) {
    for (let nth = 0; nth < 50; nth += 1) {
      const cast = drawCast(new Random(nth, 1), roster);
      const event = makeEvent(new Random(nth, 2), { kind, cast, startsAt: 0, revise: false });
      const twin = twinCast(new Random(nth, 3), roster, kind, cast);
      const other = makeEvent(new Random(nth, 2), { kind, cast: twin, startsAt: 0, revise: true });
      for (const language of ['en', 'zh'] as const) {
        for (const template of kind[language].titles) {
          const [one, two] = [event, other].map((told) =>
            fillSentence(template, told, language, new Random(nth)),
          );
          if (one === two) same.push(`${kind.name}: ${one}`);
        }
      }
    }
  }
  expect(same).toEqual([]);
});

test('has at least three follow-ups for every kind that makes stories, equal in both languages', () => {
  for (const kind of kinds) {
    expect(kind.en.followUps.length).toBeGreaterThanOrEqual(3);
    for (const part of ['titles', 'leads', 'details', 'followUps'] as const) {
      expect(kind.zh[part]).toHaveLength(kind.en[part].length);
    }
  }
});
