import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { Contradiction } from './contradictions.ts';
import type { Measure } from './measure-names.ts';
import { lessSpecific } from './measure-names.ts';
import { wordQuantity } from './quantity-words.ts';
import type { StoryItem } from './story-item.ts';

/**
 * What is contradicted, both values and their sources in one sentence; the earlier value first. Names the measure as
 * specifically as `isSupported` accepts. Empty without an item of each value.
 */
export function stateContradiction(
  { said, now, measure, earlier, later }: Contradiction,
  items: ReadonlyMap<string, StoryItem>,
  language: ReaderLanguage,
  isSupported: (statement: string) => boolean,
): string {
  const [before, after] = [wordQuantity(said, language), wordQuantity(now, language)];
  const [first, second] = [earlier, later].map((ids) => ids.flatMap((id) => items.get(id) ?? []));
  if (first?.length === 0 || second?.length === 0 || first === undefined || second === undefined) return '';
  const corrects = first.some(({ owner }) => owner === second[0]?.owner);
  const [who, whoNow] = [sourceNames(first, language), sourceNames(second, language)];
  const corrector = sourceNames(second.slice(0, 1), language);
  const statements = lessSpecific(measure).map((one) => {
    const named = measureName(one, language);
    if (language === 'zh')
      return corrects
        ? `${corrector}已将${named}由 ${before}更正为 ${after}。`
        : `${named}：${before}（${who}）或 ${after}（${whoNow}）。`;
    const what = named.replace(/^(?:the|its|their) /u, '');
    return corrects
      ? `${corrector} has corrected the ${what} from ${before} to ${after}.`
      : `The ${what}: ${before} (${who}) or ${after} (${whoNow}).`;
  });
  return statements.find(isSupported) ?? statements.at(-1) ?? '';
}

function measureName({ worded, en, zh, subject }: Measure, language: ReaderLanguage): string {
  const own = worded !== null && /\p{Script=Han}/u.test(worded) === (language === 'zh') ? worded : null;
  const isChineseSubject = subject !== null && /\p{Script=Han}/u.test(subject);
  if (language === 'zh') return `${subject === null ? '' : spaced(subject)}${own ?? zh}`;
  // A noun phrase of the item already says of what.
  if (own !== null && own.includes(' of ')) return own;
  return `${own ?? en}${subject === null || isChineseSubject ? '' : ` of ${subject}`}`;
}

/** Latin names are set apart from Chinese characters. */
function spaced(name: string): string {
  return /[\p{Script=Latin}\d]$/u.test(name) ? `${name} 的` : `${name}的`;
}

/** One source of each voice, two at most; the rest are "others". */
function sourceNames(items: readonly StoryItem[], language: ReaderLanguage): string {
  const voices = Map.groupBy(items, ({ voice }) => voice).values();
  const names = [...new Set(Array.from(voices, ([item]) => item?.sourceName ?? ''))];
  const [one = '', two] = names;
  if (two === undefined) return one;
  if (names.length === 2) return language === 'en' ? `${one} and ${two}` : `${one}和${two}`;
  return language === 'en' ? `${one}, ${two} and others` : `${one}、${two}等`;
}
