import type { Clock } from '../../foundation/clock.ts';
import type { RecordReader } from '../../record/index.ts';
import type { InterfaceLanguage, Words } from '../shell/words/words.ts';
import { wordsOf } from '../shell/words/words.ts';

/** The dependencies of every public page. */
export interface PageContext {
  readonly language: InterfaceLanguage;
  readonly words: Words;
  /** The path of a page in this language, or in another; the reader's choice of all languages is part of it. */
  readonly href: (path: string, language?: InterfaceLanguage) => string;
  /** The same without the choice of all languages. */
  readonly canonicalHref: (path: string, language?: InterfaceLanguage) => string;
  /** Whether lists show all languages together; otherwise the page's language first. */
  readonly mixesLanguages: boolean;
  readonly record: RecordReader;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly storyLayer: boolean;
  /** Whether editions can be subscribed to by mail. */
  readonly offersMail: boolean;
  /** Whether readers can report errors by mail. */
  readonly takesErrorReports: boolean;
  /** Whether searches can be saved. */
  readonly savesSearches: boolean;
}

type Offer = 'offersMail' | 'takesErrorReports' | 'savesSearches';
type PageTools = Pick<PageContext, 'language' | 'record' | 'clock' | 'baseUrl' | 'storyLayer'> &
  Partial<Pick<PageContext, Offer>>;

export function createPageContext(
  tools: PageTools,
  language: InterfaceLanguage,
  { mixesLanguages }: Pick<PageContext, 'mixesLanguages'> = { mixesLanguages: false },
): PageContext {
  const { record, clock, baseUrl, storyLayer } = tools;
  const { offersMail = false, takesErrorReports = false, savesSearches = false } = tools;
  const canonicalHref = (path: string, of: InterfaceLanguage = language): string =>
    of === tools.language ? path : `/${of}${path === '/' ? '' : path}`;
  return {
    language,
    words: wordsOf(language),
    href: (path, of = language) =>
      mixesLanguages && of === language ? inAllLanguages(canonicalHref(path, of)) : canonicalHref(path, of),
    canonicalHref,
    mixesLanguages,
    record,
    clock,
    baseUrl,
    storyLayer,
    offersMail,
    takesErrorReports,
    savesSearches,
  };
}

/** The same address with the choice of all languages. */
export function inAllLanguages(href: string): string {
  return withLanguage(href, 'all');
}

function withLanguage(href: string, language: string): string {
  const [address = '', fragment] = href.split('#', 2);
  const parameter = `${address.includes('?') ? '&' : '?'}language=${language}`;
  return `${address}${parameter}${fragment === undefined ? '' : `#${fragment}`}`;
}

type PageLanguage = Pick<PageContext, 'language' | 'mixesLanguages' | 'canonicalHref'>;

/** The address of a document in the words that the page shows. */
export function documentHref(path: string, { language, canonicalHref }: PageLanguage): string {
  return canonicalHref(path) === path ? path : withLanguage(path, language);
}

/** The address of a list of items in the languages that the page shows. */
export function itemListHref(path: string, { language, mixesLanguages }: PageLanguage): string {
  return mixesLanguages ? path : withLanguage(path, language);
}
