import type { Language } from './dispatch.ts';
import { themeWords } from './grammar/theme-words.ts';
import type { World } from './world.ts';

/** How often a term is found: in more than 10 % of all dispatches, 1–2 %, about 0.1 %, about 0.01 %, never. */
export type SearchClass = 'common' | 'frequent' | 'uncommon' | 'rare' | 'absent';

export interface SearchTerm {
  readonly term: string;
  readonly language: Language;
  readonly class: SearchClass;
  /** Share of all dispatches, in either language, that hold it in title, original title, summary or outlet; approximate. */
  readonly share: number;
}

const termsPerClass = 20;

const classShares: Readonly<Record<SearchClass, number>> = {
  common: 0.14,
  frequent: 0.016,
  uncommon: 0.001,
  rare: 0.0001,
  absent: 0,
};

/** Fewer than twenty words are that common. */
const commonWords: Readonly<Record<Language, readonly string[]>> = {
  en: 'with that from million said model this first will billion have company percent'.split(' '),
  zh: '科技 模型 表示 公司 美元 智能 研究'.split(' '),
};

/** Up to twenty terms for each class and language, to measure a search with; the Chinese ones are words of two characters. */
export function searchTerms(world: Pick<World, 'organizations'>): readonly SearchTerm[] {
  return (['en', 'zh'] as const).flatMap((language) => {
    const words: Readonly<Record<SearchClass, readonly string[]>> = {
      common: commonWords[language],
      frequent: organizationWords(world, language),
      ...themeWords[language],
    };
    return (Object.keys(classShares) as SearchClass[]).flatMap((name) =>
      words[name]
        .slice(0, termsPerClass)
        .map((term) => ({ term, language, class: name, share: classShares[name] })),
    );
  });
}

/** Names differ in their first word, in Chinese in their first two characters. */
function organizationWords({ organizations }: Pick<World, 'organizations'>, language: Language): string[] {
  return organizations
    .filter(({ home }) => home === language)
    .map(({ name }) => (language === 'en' ? name[0].toLowerCase() : name[1].slice(0, 2)));
}
