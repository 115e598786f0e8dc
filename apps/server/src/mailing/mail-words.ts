import { filled, mailWordsOf as catalogueOf } from '../foundation/mail/words/mail-words.ts';
import type { MailWords as Catalogue } from '../foundation/mail/words/mail-words.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import type { Choices, MailedKind } from './subscription-store.ts';

type EditionMail = Catalogue['editions'];

/** The texts of edition mails; those with values as functions. */
export interface MailWords extends Omit<EditionMail, 'subject' | 'confirmText' | 'knownText'> {
  readonly language: ReaderLanguage;
  readonly subject: (kind: MailedKind, period: string, headline: string) => string;
  readonly confirmText: (reports: string, link: string) => string;
  readonly knownText: (reports: string, link: string) => string;
}

export function mailWordsOf(language: ReaderLanguage): MailWords {
  const { editions } = catalogueOf(language);
  return {
    ...editions,
    language,
    subject: (kind, period, headline) =>
      filled(editions.subject, { kind: editions.kindsInSubject[kind], period, headline }),
    confirmText: (reports, link) => filled(editions.confirmText, { reports, link }),
    knownText: (reports, link) => filled(editions.knownText, { reports, link }),
  };
}

/** The chosen editions, as a list in a sentence. */
export function namesOf({ daily, weekly }: Choices, { kinds, language }: MailWords): string {
  const names = [daily ? [kinds.daily] : [], weekly ? [kinds.weekly] : []].flat();
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}
