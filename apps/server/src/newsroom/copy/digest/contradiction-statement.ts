import type { Contradiction } from './contradictions.ts';
import { wordQuantity } from './quantity-words.ts';
import type { StoryItem } from './story-item.ts';

/** The earlier value, its sources and the current value in one sentence. */
export function stateContradiction(
  { said, now, measure, earlier, later }: Contradiction,
  items: ReadonlyMap<string, StoryItem>,
  language: 'en' | 'zh',
): string {
  const [before, after] = [wordQuantity(said, language), wordQuantity(now, language)];
  const named = measure !== null && /\p{Script=Han}/u.test(measure) === (language === 'zh') ? measure : null;
  const [first, second] = [earlier, later].map((ids) => ids.flatMap((id) => items.get(id) ?? []));
  if (first?.length === 0 || second?.length === 0 || first === undefined || second === undefined) return '';
  const corrects = first.some(({ owner }) => owner === second[0]?.owner);
  const [who, whoNow] = [sourceNames(first, language), sourceNames(second, language)];
  if (language === 'en') {
    return corrects
      ? `${sourceNames(second.slice(0, 1), language)} has corrected ${named ?? 'its figure'} from ${before} to ${after}.`
      : `${named === null ? '' : `On ${named}, `}${who} first said ${before}; ${whoNow} ${second.length > 1 ? 'say' : 'says'} ${after}.`;
  }
  return corrects
    ? `${sourceNames(second.slice(0, 1), language)}已将${named ?? '数字'}由 ${before}更正为 ${after}。`
    : `${named === null ? '' : `关于${named}，`}${who}此前称 ${before}，${whoNow}现称 ${after}。`;
}

/** One source of each voice, two at most; the rest are "others". */
function sourceNames(items: readonly StoryItem[], language: 'en' | 'zh'): string {
  const voices = Map.groupBy(items, ({ voice }) => voice).values();
  const names = [...new Set(Array.from(voices, ([item]) => item?.sourceName ?? ''))];
  const [one = '', two] = names;
  if (two === undefined) return one;
  if (names.length === 2) return language === 'en' ? `${one} and ${two}` : `${one}和${two}`;
  return language === 'en' ? `${one}, ${two} and others` : `${one}、${two}等`;
}
