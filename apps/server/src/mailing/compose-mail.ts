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
} from '../foundation/mail/mail-html.ts';
import type { MailToSend } from '../foundation/mail/smtp-sender.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { editions, publicPaths } from '../record/index.ts';
import type { ClaimedDelivery } from './delivery-store.ts';
import type { MailSite } from './mail-links.ts';
import { pageAddress, subscriptionPaths } from './mail-links.ts';
import type { MailWords } from './mail-words.ts';
import { mailWordsOf, namesOf } from './mail-words.ts';
import type { Choices, MailedKind } from './subscription-store.ts';

type Composed = Pick<MailToSend, 'subject' | 'text' | 'html' | 'headers'>;

/** The link of a double opt-in; a confirmed subscriber gets a link to manage the subscription instead. */
export function composeConfirmation(
  site: MailSite,
  { language, isConfirmed }: Pick<ClaimedDelivery, 'language' | 'isConfirmed'>,
  choices: Choices,
  token: string,
): Composed {
  const words = mailWordsOf(language);
  const link = `${pageAddress(site, language, subscriptionPaths.manage)}?token=${token}`;
  const reports = namesOf(choices, words);
  return isConfirmed
    ? { subject: words.knownSubject, text: words.knownText(reports, link) }
    : { subject: words.confirmSubject, text: words.confirmText(reports, link) };
}

interface Links {
  readonly page: (path: string) => string;
  readonly online: string;
  readonly manage: string;
  readonly unsubscribe: string;
}

/** An edition in the subscriber's language as text and HTML, with the headers for the unsubscribe button of mail programs (RFC 8058). */
export function composeEditionMail(
  site: MailSite,
  { language }: Pick<ClaimedDelivery, 'language'>,
  recorded: editions.RecordedEdition & { readonly kind: MailedKind },
  token: string,
): Composed {
  const words = mailWordsOf(language);
  const edition = { ...editions.words.wordEdition(recorded, language), kind: recorded.kind };
  const page = (path: string): string => pageAddress(site, language, path);
  const links = {
    page,
    online: page(publicPaths.editionPath(edition)),
    manage: `${page(subscriptionPaths.manage)}?token=${token}`,
    unsubscribe: `${page(subscriptionPaths.unsubscribe)}?token=${token}`,
  };
  return {
    subject: oneLine(words.subject(edition.kind, edition.period, edition.headline), subjectCharsMax),
    text: textBody(edition, words, links),
    html: htmlBody(edition, words, links, language),
    headers: {
      'List-Id': `Daybook ${edition.kind} <${edition.kind}.${new URL(site.baseUrl).hostname}>`,
      'List-Unsubscribe': `<${links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** The mail of an edition that is not published yet; its links to a subscription belong to no one. Monthlies are not mailed. */
export function previewMail(
  site: MailSite,
  language: ReaderLanguage,
  edition: editions.RecordedEdition,
): Composed {
  return composeEditionMail(site, { language }, { ...edition, kind: edition.kind as MailedKind }, 'preview');
}

function textBody(edition: editions.RecordedEdition, words: MailWords, links: Links): string {
  const entry = (item: editions.CitedItem): string =>
    `* ${oneLine(item.title)} (${oneLine(item.sourceName)})\n${oneLine(item.summary)}\n${links.page(publicPaths.itemPath(item.id))}`;
  const flash = (item: editions.CitedItem): string =>
    `* ${oneLine(item.title)} (${oneLine(item.sourceName)})\n${links.page(publicPaths.itemPath(item.id))}`;
  return [
    oneLine(edition.headline),
    oneLine(edition.overview),
    ...edition.notes.map(({ text }) => `${words.editorsNote}: ${oneLine(text)}`),
    `${words.readOnline}: ${links.online}`,
    ...edition.sections.flatMap(({ label, items }) => [`== ${oneLine(label)} ==`, ...items.map(entry)]),
    ...(edition.flashes.length === 0 ? [] : [`== ${words.flashes} ==`, ...edition.flashes.map(flash)]),
    `-- \n${words.mayBeWrong}\n${words.why}\n${words.manage}: ${links.manage}\n${words.unsubscribe}: ${links.unsubscribe}`,
    '',
  ].join('\n\n');
}

function htmlBody(
  edition: editions.RecordedEdition,
  words: MailWords,
  links: Links,
  language: string,
): string {
  const titleOf = (item: editions.CitedItem): string =>
    mailLink(links.page(publicPaths.itemPath(item.id)), oneLine(item.title));
  const entry = (item: editions.CitedItem): string =>
    html`<div lang="${item.language ?? language}" style="margin:0 0 20px">
      <h3 style="${serif};font-size:19px;line-height:1.3;margin:0 0 4px">!${titleOf(item)}</h3>
      <p style="margin:0 0 4px">${oneLine(item.summary)}</p>
      <div style="${quiet}">${oneLine(item.sourceName)}</div>
    </div>`;
  const flash = (item: editions.CitedItem): string =>
    html`<p lang="${item.language ?? language}" style="margin:0 0 10px">
      !${titleOf(item)} <span style="${quiet}">${oneLine(item.sourceName)}</span>
    </p>`;
  const content = html`<p style="${quiet};margin:0 0 8px">
      Daybook, ${words.kinds[edition.kind as MailedKind]} ${edition.period}
    </p>
    <h1 lang="${edition.language}" style="${serif};font-size:28px;line-height:1.2;margin:0 0 12px">
      ${oneLine(edition.headline)}
    </h1>
    <p lang="${edition.language}" style="margin:0 0 12px">${oneLine(edition.overview)}</p>
    !${edition.notes.map((note) => html`<p lang="${note.language}" style="${quiet};margin:0 0 12px">${words.editorsNote}: ${oneLine(note.text)}</p>`)}
    <p style="margin:0">!${mailLink(links.online, words.readOnline)}</p>
    !${edition.sections.map(({ label, items }) => mailSection(oneLine(label), items.map(entry).join('')))}
    !${edition.flashes.length === 0 ? '' : mailSection(words.flashes, edition.flashes.map(flash).join(''))}
    !${mailFooter(
      `${words.mayBeWrong} ${words.why}`,
      `${mailLink(links.manage, words.manage)}, ${mailLink(links.unsubscribe, words.unsubscribe)}`,
    )}`;
  return mailPage({ language, title: oneLine(edition.headline), content });
}
