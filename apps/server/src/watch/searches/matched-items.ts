import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { comparedItems } from '../../record/comparing/index.ts';
import { items } from '../../record/index.ts';

export interface MatchedItemsDeps {
  readonly database: Database;
  readonly baseUrl: string;
  readonly storyLayer: boolean;
}

/** The items of these matches, in their order, without those that were withdrawn. */
export async function readMatchedItems<Match extends { readonly id: Id<'item'> }>(
  { database, baseUrl, storyLayer }: MatchedItemsDeps,
  matches: readonly Match[],
  language: ReaderLanguage,
): Promise<readonly (Match & { readonly item: items.ItemBody })[]> {
  const ids = [...new Set(matches.map(({ id }) => id))];
  const standing = await comparedItems.readStandingItems(database, ids);
  const bodies = new Map<string, items.ItemBody>(
    standing.map(({ id, body, storyId }) => {
      const text = items.itemJson({ body, storyId: storyLayer ? storyId : null }, { baseUrl, language });
      return [id, JSON.parse(text) as items.ItemBody];
    }),
  );
  return matches.flatMap((match) => {
    const item = bodies.get(match.id);
    return item === undefined ? [] : [{ ...match, item }];
  });
}
