import type { Clock } from '../../foundation/clock.ts';
import type { RecordReader } from '../../record/index.ts';
import type { InterfaceLanguage, Words } from '../shell/words/words.ts';
import { wordsOf } from '../shell/words/words.ts';

/** The dependencies of every public page. */
export interface PageContext {
  readonly language: InterfaceLanguage;
  readonly words: Words;
  /** The path of a page in this language, or in another. */
  readonly href: (path: string, language?: InterfaceLanguage) => string;
  readonly record: RecordReader;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly storyLayer: boolean;
  /** Whether editions can be subscribed to by mail. */
  readonly offersMail: boolean;
  /** Whether readers can report errors by mail. */
  readonly takesErrorReports: boolean;
}

type MailOffer = 'offersMail' | 'takesErrorReports';

export function createPageContext(
  tools: Omit<PageContext, 'words' | 'href' | MailOffer> & Partial<Pick<PageContext, MailOffer>>,
  language: InterfaceLanguage,
): PageContext {
  const { record, clock, baseUrl, storyLayer, offersMail = false, takesErrorReports = false } = tools;
  const href = (path: string, of: InterfaceLanguage = language): string =>
    of === tools.language ? path : `/${of}${path === '/' ? '' : path}`;
  return {
    language,
    words: wordsOf(language),
    href,
    record,
    clock,
    baseUrl,
    storyLayer,
    offersMail,
    takesErrorReports,
  };
}
