import { haveSameLanguage } from '../writer.ts';
import type { DigestRequest } from './compose-digest.ts';
import { findContradictions, statesValue } from './contradictions.ts';
import { byReceipt, readItem } from './story-item.ts';

/**
 * The item whose title replaces that of the story: the story's title states a value that later items contradict, and
 * the title of this one states the current value. Null if the title may stay, or no item has such a title.
 */
export function contradictedBy({
  title = '',
  items,
  language,
  aliases,
}: Pick<DigestRequest, 'title' | 'items' | 'language' | 'aliases'>): string | null {
  const read = items.map((item) => readItem(item, aliases));
  for (const { said, now, later } of findContradictions(read)) {
    if (!statesValue(title, said) || statesValue(title, now)) continue;
    const candidates = read.filter(
      ({ item }) =>
        later.includes(item.id) &&
        haveSameLanguage(item.language, language) &&
        statesValue(item.title, now) &&
        !statesValue(item.title, said),
    );
    const [best] = candidates.sort(
      (one, other) =>
        Number(other.item.firstParty) - Number(one.item.firstParty) ||
        one.item.tier - other.item.tier ||
        byReceipt(one, other),
    );
    if (best !== undefined) return best.item.id;
  }
  return null;
}
