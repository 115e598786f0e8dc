import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import type { Category } from '../items/category.ts';
import type { CitedItem, EditionEntry, RecordedEdition } from './edition-reading-store.ts';
import type { EditionContents, EditionWords } from './edition.ts';
import { remaining } from './edition.ts';

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
    notes: notesIn(edition, language),
  };
}

/** Without a note in this language, all of them. */
function notesIn({ notes }: RecordedEdition, language: ReaderLanguage): RecordedEdition['notes'] {
  const own = notes.filter((note) => note.language === language);
  return own.length > 0 ? own : notes;
}

/** What an editor wrote in place of the text by rule. */
export type EditorsWords = Partial<Pick<EditionWords, 'headline' | 'overview'>>;

interface EditorsText {
  readonly words: EditorsWords | undefined;
  /** By default that of the edition's own headline. */
  readonly language: ReaderLanguage | undefined;
  /** The items that the words were written from; by default those of the replaced text. */
  readonly cites?: readonly Id<'item'>[];
}

/** The contents with an editor's words in one language; the other language is unchanged. */
export function withEditorsWords(contents: EditionContents, text: EditorsText): EditionContents {
  const { versions = [] } = contents;
  const { language } = text;
  if (language === undefined || language === ownLanguage(contents)) return edited(contents, text);
  const version = versions.find((one) => one.language === language);
  // Without a text in this language, the edition's own one fills the gap.
  const next = { ...edited(version ?? wordsOf(contents), text), language };
  return { ...contents, versions: [...versions.filter((one) => one !== version), next] };
}

export function ownLanguage({ language, headline }: Pick<EditionContents, 'language' | 'headline'>) {
  return language ?? languageOfText(headline);
}

function wordsOf({ headline, overview, headlineCites, overviewCites }: EditionContents): EditionWords {
  return { headline, overview, headlineCites, overviewCites };
}

function edited<Words extends EditionWords>(
  words: Words,
  { words: by = {}, cites }: Pick<EditorsText, 'words' | 'cites'>,
): Words {
  const written = (['headline', 'overview'] as const).filter((text) => by[text] !== undefined);
  const byEditor = [...new Set([...(words.byEditor ?? []), ...written])];
  const cited = cites === undefined ? [] : written.map((text) => [`${text}Cites`, cites] as const);
  return { ...words, ...by, ...Object.fromEntries(cited), ...remaining({ byEditor }) };
}
