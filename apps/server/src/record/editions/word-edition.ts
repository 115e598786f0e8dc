import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Category } from '../items/category.ts';
import type { CitedItem, EditionEntry, RecordedEdition } from './edition-reading-store.ts';

/** The names of sections, by their keys. */
export const sectionLabels: Readonly<Record<ReaderLanguage, Readonly<Record<Category, string>>>> = {
  en: {
    'ai-models': 'Models',
    'ai-products': 'Products',
    industry: 'Industry',
    paper: 'Papers',
    tip: 'Tips',
    opinion: 'Opinion',
  },
  zh: {
    'ai-models': '模型',
    'ai-products': '产品',
    industry: '行业',
    paper: '论文',
    tip: '技巧',
    opinion: '观点',
  },
};

/** The headline in this language; without one, the edition's own. */
export function wordEntry<Entry extends EditionEntry>(entry: Entry, language: ReaderLanguage): Entry {
  const version = entry.versions.find((one) => one.language === language);
  return version === undefined ? entry : { ...entry, ...version };
}

/**
 * The edition in this language: the same entries in the same order, each as its report in this language, where one
 * exists.
 */
export function wordEdition(edition: RecordedEdition, language: ReaderLanguage): RecordedEdition {
  const reports = new Map(
    edition.reports.filter((one) => one.language === language).map(({ entryId, item }) => [entryId, item]),
  );
  const worded = (entry: CitedItem): CitedItem => {
    const report = reports.get(entry.id);
    return report === undefined ? entry : { ...report, category: entry.category };
  };
  const labels: Readonly<Record<string, string>> = sectionLabels[language];
  return {
    ...wordEntry(edition, language),
    sections: edition.sections.map(({ key, label, items }) => ({
      key,
      label: labels[key] ?? label,
      items: items.map(worded),
    })),
    flashes: edition.flashes.map(worded),
  };
}
