import { themeWords } from './grammar/theme-words.ts';
import type { Language } from './report.ts';
import type { World } from './world.ts';

/** How often a term is found: in more than 10 % of all reports, 1–2 %, about 0.1 %, about 0.01 %, never. */
export type SearchClass = 'common' | 'frequent' | 'uncommon' | 'rare' | 'absent';

export interface SearchTerm {
  readonly term: string;
  readonly language: Language;
  readonly class: SearchClass;
  /** Share of all reports, in either language, that hold it in title, original title, summary or outlet; approximate. */
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

const commonWords: Readonly<Record<Language, readonly string[]>> = {
  en: (
    'with from that million company will billion data said over model research users work year product ' +
    'customers this industry companies'
  ).split(' '),
  zh: '科技 研究 模型 公司 智能 数据 美元 表示 行业 用户 团队 规模 企业 测试 客户 技术 开发 产品 目前 参数'.split(
    ' ',
  ),
};

/** Twenty terms for each class and language, to measure a search with; the Chinese ones are words of two characters. */
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

/** Names are told apart by their first word, in Chinese by their first two characters. */
function organizationWords({ organizations }: Pick<World, 'organizations'>, language: Language): string[] {
  return organizations
    .filter(({ home }) => home === language)
    .map(({ name }) => (language === 'en' ? name[0].toLowerCase() : name[1].slice(0, 2)));
}
