import { html } from 'ghtml';

import {
  mailFooter,
  mailLink,
  mailPage,
  mailSection,
  oneLine,
  quiet,
  serif,
  subjectCharsMax,
} from '../../foundation/mail/mail-html.ts';
import type { MailToSend } from '../../foundation/mail/smtp-sender.ts';
import type { MailWords } from '../../foundation/mail/words/mail-words.ts';
import { filled, mailWordsOf } from '../../foundation/mail/words/mail-words.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { items } from '../../record/index.ts';
import type { SentFrequency } from './watch-mail-store.ts';

/** Links of a mail; the site serves their pages. */
export const watchPaths = { manage: '/account/watch', unsubscribe: '/watch/unsubscribe' } as const;

export interface WatchMailSite {
  readonly baseUrl: string;
}

export interface MailedSearch {
  readonly id: string;
  readonly name: string;
  /** Those that the mail shows. */
  readonly items: readonly items.ItemBody[];
  /** How many further ones match. */
  readonly more: number;
}

interface Given {
  readonly searches: readonly MailedSearch[];
  readonly frequency: SentFrequency;
  readonly wording: ReaderLanguage;
  readonly token: string;
}

type Words = MailWords['watch'];

/** The matches of an account's searches as text and HTML, with the headers for the unsubscribe button of mail programs (RFC 8058). */
export function composeWatchMail(
  { baseUrl }: WatchMailSite,
  given: Given,
): Pick<MailToSend, 'subject' | 'text' | 'html' | 'headers'> {
  const { searches, frequency, wording, token } = given;
  const words = mailWordsOf(wording).watch;
  const count = searches.reduce((sum, { items, more }) => sum + items.length + more, 0);
  const names = searches.map(({ name }) => name).join(', ');
  const subject = filled(count === 1 ? words.subjectOne : words.subject, { count: String(count), names });
  const links = {
    manage: baseUrl + watchPaths.manage,
    unsubscribe: `${baseUrl}${watchPaths.unsubscribe}?token=${token}`,
  };
  const texts = {
    why: filled(words.why, { frequency: words.frequencies[frequency] }),
    unsubscribe: filled(words.unsubscribe, { frequency: words.frequencies[frequency] }),
    mayBeWrong: mailWordsOf(wording).editions.mayBeWrong,
  };
  return {
    subject: oneLine(subject, subjectCharsMax),
    text: textOf(searches, words, { ...texts, links }),
    html: htmlOf(searches, words, { ...texts, links, wording }),
    headers: {
      'List-Id': `Daybook saved searches <searches.${new URL(baseUrl).hostname}>`,
      'List-Unsubscribe': `<${links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

interface Texts {
  readonly why: string;
  readonly unsubscribe: string;
  readonly mayBeWrong: string;
  readonly links: { readonly manage: string; readonly unsubscribe: string };
}

const searchPage = ({ links }: Texts, { id }: MailedSearch): string => `${links.manage}/${id}`;

function textOf(searches: readonly MailedSearch[], words: Words, texts: Texts): string {
  const { links, why, unsubscribe, mayBeWrong } = texts;
  const entry = ({ title, summary, source, links: { item } }: items.ItemBody): string =>
    [`* ${oneLine(title)} (${oneLine(source.name)})`, oneLine(summary), item]
      .filter((line) => line !== '')
      .join('\n');
  return [
    words.heading,
    ...searches.flatMap((search) => [
      `== ${oneLine(search.name)} ==`,
      ...search.items.map(entry),
      ...(search.more === 0
        ? []
        : [filled(words.more, { count: String(search.more), link: searchPage(texts, search) })]),
    ]),
    `-- \n${mayBeWrong}\n${why}\n${words.manage}: ${links.manage}\n${unsubscribe}: ${links.unsubscribe}`,
    '',
  ].join('\n\n');
}

function htmlOf(
  searches: readonly MailedSearch[],
  words: Words,
  texts: Texts & { readonly wording: ReaderLanguage },
): string {
  const { links, why, unsubscribe, mayBeWrong, wording } = texts;
  const entry = ({ title, summary, source, language, links: { item } }: items.ItemBody): string =>
    html`<div lang="${language ?? wording}" style="margin:0 0 20px">
      <h3 style="${serif};font-size:19px;line-height:1.3;margin:0 0 4px">
        !${mailLink(item, oneLine(title))}
      </h3>
      <p style="margin:0 0 4px">${oneLine(summary)}</p>
      <div style="${quiet}">${oneLine(source.name)}</div>
    </div>`;
  const section = (search: MailedSearch): string => {
    const more = filled(words.moreLink, { count: String(search.more) });
    const rest =
      search.more === 0 ? '' : html`<p style="margin:0">!${mailLink(searchPage(texts, search), more)}</p>`;
    return mailSection(oneLine(search.name), search.items.map(entry).join('') + rest);
  };
  const content = html`<h1 style="${serif};font-size:28px;line-height:1.2;margin:0 0 12px">
      ${words.heading}
    </h1>
    !${searches.map(section)}
    !${mailFooter(
      `${mayBeWrong} ${why}`,
      `${mailLink(links.manage, words.manage)}, ${mailLink(links.unsubscribe, unsubscribe)}`,
    )}`;
  return mailPage({ language: wording, title: words.heading, content });
}
