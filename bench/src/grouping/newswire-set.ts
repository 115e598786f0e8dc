import type { World } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';

import type { AliasEntry } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import type { LabelledItem, LabelledSet } from './labelled-set.ts';

const startsAt = Date.UTC(2026, 9, 1);

/** A fortnight of the simulated world, with the names an operator of that world would add to the aliases. */
export function newswireSet(options: {
  readonly seed: number;
  readonly days: number;
  readonly itemsPerDay: number;
}): {
  readonly set: LabelledSet;
  readonly aliases: readonly AliasEntry[];
} {
  const world = createWorld({ ...options, startsAt });
  const items = Array.from(world.dispatches(), (dispatch): LabelledItem => {
    const { key, title, originalTitle, summary, url, outlet, publishedAt, discoveredAt } = dispatch;
    return {
      id: key,
      title,
      originalTitle,
      summary,
      url,
      source: outlet.name,
      language: /\p{Script=Han}/u.test(title) ? 'zh' : 'en',
      at: Date.parse(publishedAt ?? discoveredAt),
      story: dispatch.storyKey ?? key,
      storyline: dispatch.storylineKey,
      scored: true,
    };
  });
  return { set: { name: 'newswire', items, windowRows: Infinity }, aliases: worldAliases(world) };
}

function worldAliases({ organizations, people }: World): readonly AliasEntry[] {
  return [
    ...organizations.map(({ name }): AliasEntry => ({ kind: 'company', names: name })),
    ...people.map(({ name }): AliasEntry => ({ kind: 'person', names: name })),
  ];
}
