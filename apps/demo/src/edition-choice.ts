import type { Category, Language } from '@daybook/newswire';
import { phraseEdition } from '@daybook/newswire';

import type { Publisher } from '../../server/src/record/index.ts';
import type { ToldReport } from './told-report.ts';

type Issue = Parameters<Publisher['issueEdition']>[0];

const sectionLabels: Readonly<Record<Category, string>> = {
  'ai-models': 'Models',
  'ai-products': 'Products',
  industry: 'Industry',
  paper: 'Papers',
  tip: 'Tips',
  opinion: 'Opinion',
};
const sizes = {
  daily: { items: 12, flashes: 8 },
  weekly: { items: 20, flashes: 0 },
  monthly: { items: 30, flashes: 0 },
};
const titlesPhrased = 3;

/** What an edition holds, by rule: the best scored first, a story once, its words written from the leading items. */
export function chooseEdition(
  kind: Issue['kind'],
  period: string,
  candidates: readonly ToldReport[],
): Issue | null {
  const ranked = onePerStory([...candidates].sort(byScore));
  const chosen = ranked.slice(0, sizes[kind].items);
  const flashes = ranked.slice(chosen.length, chosen.length + sizes[kind].flashes);
  const language: Language = chosen.some((told) => told.language === 'en') ? 'en' : 'zh';
  const leading = chosen.filter((told) => told.language === language).slice(0, titlesPhrased);
  if (leading.length === 0) return null;
  const { headline, overview } = phraseEdition({
    period: kind,
    language,
    titles: leading.map((told) => told.report.title),
  });
  const cites = leading.map((told) => told.itemId);
  return {
    kind,
    period,
    contents: {
      headline,
      overview,
      headlineCites: cites,
      overviewCites: cites,
      flashes: flashes.map((told) => told.itemId),
      sections: Object.entries(sectionLabels)
        .map(([key, label]) => ({
          key,
          label,
          itemIds: chosen.filter((told) => told.report.category === key).map((told) => told.itemId),
        }))
        .filter(({ itemIds }) => itemIds.length > 0),
    },
  };
}

function byScore(one: ToldReport, other: ToldReport): number {
  return other.report.score - one.report.score || (one.itemId < other.itemId ? -1 : 1);
}

function onePerStory(ranked: readonly ToldReport[]): readonly ToldReport[] {
  const seen = new Set<string>();
  return ranked.filter(({ report }) => {
    const key = report.storyKey ?? report.key;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
