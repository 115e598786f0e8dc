import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { corrections } from '../../record/index.ts';
import { editions } from '../../record/index.ts';

interface FeedWords {
  readonly titled: (what: string) => string;
  readonly selected: string;
  readonly inCategory: (label: string) => string;
  readonly reports: Readonly<Record<editions.EditionKind, string>>;
  readonly corrections: string;
  /** The title of a correction. */
  readonly corrected: (
    kind: corrections.CorrectedSubject['kind'],
    action: corrections.CorrectionAction,
    id: string,
  ) => string;
}

const kinds = { item: '资讯', story: '事件', daily: '日报', weekly: '周报', monthly: '月报' } as const;
const actions = {
  withdrawn: '已撤回',
  corrected: '已更正',
  merged: '已并入另一事件',
  split: '已拆分',
} as const;

const words: Readonly<Record<ReaderLanguage, FeedWords>> = {
  en: {
    titled: (what) => `Daybook: ${what}`,
    selected: 'selected items',
    inCategory: (label) => `selected items, ${label}`,
    reports: { daily: 'daily reports', weekly: 'weekly reports', monthly: 'monthly reports' },
    corrections: 'corrections',
    corrected: (kind, action, id) => `${kind} ${action}: ${id}`,
  },
  zh: {
    titled: (what) => `Daybook：${what}`,
    selected: '精选',
    inCategory: (label) => `精选，${label}`,
    reports: { daily: '日报', weekly: '周报', monthly: '月报' },
    corrections: '更正',
    corrected: (kind, action, id) => `${kinds[kind]}${actions[action]}：${id}`,
  },
};

export function feedWords(language: ReaderLanguage): FeedWords {
  return words[language];
}

/** A category in the words of the language. */
export function categoryLabel(category: string, language: ReaderLanguage): string {
  const labels: Readonly<Record<string, string>> = editions.words.sectionLabels[language];
  return labels[category] ?? category;
}
