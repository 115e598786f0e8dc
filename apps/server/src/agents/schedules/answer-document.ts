import { html } from 'ghtml';

import { isoMilliseconds } from '../../foundation/instant.ts';
import {
  mailFooter,
  mailLink,
  mailPage,
  mailSection,
  oneLine,
  serif,
  subjectCharsMax,
} from '../../foundation/mail/mail-html.ts';
import type { MailToSend } from '../../foundation/mail/smtp-sender.ts';
import type { MailWords } from '../../foundation/mail/words/mail-words.ts';
import { filled, mailWordsOf } from '../../foundation/mail/words/mail-words.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import type { ReadAnswer } from '../answers/answer.ts';

/** An answer of a schedule. */
export interface ScheduledAnswer {
  readonly name: string;
  readonly question: string;
  /** Of the due time, in the time zone of the schedule. */
  readonly day: string;
  readonly answer: ReadAnswer;
}

type Words = MailWords['schedules'];

interface NumberedSource {
  readonly number: number;
  readonly title: string;
  readonly publisher: string;
  readonly url: string;
}

interface Line {
  readonly text: string;
  readonly language: string | null;
  readonly sources: readonly NumberedSource[];
}

/** The sentences with the numbers of their sources, in the order in which they are cited. */
function readLines({ sentences, sources }: ReadAnswer): {
  readonly lines: readonly Line[];
  readonly sources: readonly NumberedSource[];
} {
  const numbered = new Map<string, NumberedSource>();
  const lines = sentences.map(({ text, language, cites }): Line => {
    const cited = cites.flatMap(({ kind, id }) => {
      const key = `${kind} ${id}`;
      const source = sources.find((one) => `${one.kind} ${one.id}` === key);
      if (source === undefined) return [];
      const known = numbered.get(key) ?? {
        number: numbered.size + 1,
        title: oneLine(source.title),
        publisher: oneLine(source.publisher ?? ''),
        url: source.url,
      };
      numbered.set(key, known);
      return [known];
    });
    return { text: oneLine(text), language, sources: [...new Set(cited)] };
  });
  return { lines, sources: [...numbered.values()] };
}

/** What no source answers, and how many sentences are missing for another reason. */
function readMissing({ leftOut }: ReadAnswer, words: Words): readonly string[] {
  const unanswered = leftOut.flatMap(({ reason, text }) =>
    reason === 'unanswered' && text !== null ? [filled(words.unanswered, { question: oneLine(text) })] : [],
  );
  const others = leftOut.filter(({ reason }) => reason !== 'unanswered').length;
  return [...unanswered, ...(others === 0 ? [] : [filled(words.leftOut, { count: String(others) })])];
}

/** Only a list of corrections can be empty without a question that is not answered. */
const nothingOf = ({ leftOut }: ReadAnswer, words: Words): string =>
  leftOut.length === 0 ? words.noCorrections : words.nothing;

const byOf = ({ answer: { by, asOf } }: ReadAnswer, words: Words): string =>
  filled(by === 'model' ? words.byModel : words.byQuoting, {
    time: `${isoMilliseconds(asOf).slice(0, 16).replace('T', ' ')} UTC`,
  });

const nameOf = ({ title, publisher }: NumberedSource): string =>
  publisher === '' ? title : `${title} (${publisher})`;

/** As a Markdown file. Third-party text cannot become markup or begin a line of its own. */
export function writeMarkdown({ name, question, day, answer }: ScheduledAnswer): string {
  const words = mailWordsOf(languageOfText(question)).schedules;
  const { lines, sources } = readLines(answer);
  const text = [
    `# ${escapeMarkdown(`${oneLine(name)} ${day}`)}`,
    `> ${escapeMarkdown(oneLine(question))}`,
    ...(lines.length === 0 ? [nothingOf(answer, words)] : []),
    ...lines.map(
      (line) =>
        `- ${escapeMarkdown(line.text)} ${line.sources.map(({ number }) => `\\[${number}\\]`).join(' ')}`,
    ),
    ...readMissing(answer, words).map(escapeMarkdown),
    ...(sources.length === 0 ? [] : [`## ${words.sources}`]),
    ...sources.map(
      (source) => `${source.number}. [${escapeMarkdown(nameOf(source))}](<${addressOf(source)}>)`,
    ),
    byOf(answer, words),
  ];
  return `${text.join('\n\n')}\n`;
}

/** Only what could be markup, so that the file stays readable as text. */
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>|~&$]/gu, String.raw`\$&`)
    .replaceAll(/:(?=\/\/)|(?<=\bwww)\.|@(?=[\p{L}\p{N}])/giu, String.raw`\$&`)
    .replace(/^[#+-]/u, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/u, String.raw`$1\$2`);
}

const addressOf = ({ url }: NumberedSource): string =>
  url.replaceAll(/[<>\s\\]/gu, (one) => encodeURIComponent(one));

/** As a mail. */
export function writeMail(
  scheduled: ScheduledAnswer,
  { manage }: { readonly manage: string },
): Pick<MailToSend, 'subject' | 'text' | 'html'> {
  const { name, question, day, answer } = scheduled;
  const language = languageOfText(question);
  const words = mailWordsOf(language).schedules;
  const { lines, sources } = readLines(answer);
  const missing = readMissing(answer, words);
  const title = `${oneLine(name)} ${day}`;
  const marks = (line: Line): string => line.sources.map(({ number }) => `[${number}]`).join(' ');
  const text = [
    oneLine(question),
    ...(lines.length === 0 ? [nothingOf(answer, words)] : []),
    ...lines.map((line) => `* ${line.text} ${marks(line)}`),
    ...missing,
    ...sources.map((source) => `[${source.number}] ${nameOf(source)}\n${source.url}`),
    `-- \n${byOf(answer, words)}\n${words.why}\n${words.manage}: ${manage}`,
    '',
  ].join('\n\n');
  const content = mailContent({
    title,
    question,
    lines,
    sources,
    missing,
    words,
    nothing: nothingOf(answer, words),
    language,
  });
  const footer = mailFooter(`${byOf(answer, words)} ${words.why}`, mailLink(manage, words.manage));
  return {
    subject: oneLine(title, subjectCharsMax),
    text,
    html: mailPage({ language, title, content: content + footer }),
  };
}

function mailContent({
  title,
  question,
  lines,
  sources,
  missing,
  words,
  nothing,
  language,
}: {
  readonly title: string;
  readonly question: string;
  readonly lines: readonly Line[];
  readonly sources: readonly NumberedSource[];
  readonly missing: readonly string[];
  readonly words: Words;
  readonly nothing: string;
  readonly language: ReaderLanguage;
}): string {
  const shown = lines.map(
    (line) =>
      html`<p lang="${line.language ?? language}" style="margin:0 0 12px">
        ${line.text} !${line.sources.map(({ number, url }) => mailLink(url, `[${number}]`)).join(' ')}
      </p>`,
  );
  const listed = sources.map(
    (source) =>
      html`<p style="margin:0 0 8px">[${source.number}] !${mailLink(source.url, nameOf(source))}</p>`,
  );
  return html`<h1 style="${serif};font-size:28px;line-height:1.2;margin:0 0 12px">${title}</h1>
    <p style="margin:0 0 16px">${oneLine(question)}</p>
    ${lines.length === 0 ? nothing : ''} !${shown}
    !${missing.map((text) => html`<p style="margin:0 0 12px">${text}</p>`)}
    !${sources.length === 0 ? '' : mailSection(words.sources, listed.join(''))}`;
}
