import type { CorrectionEntry, Item, NewsSource } from '@daybook/client/types';

import type { ChangesPage } from './changes-markdown.ts';
import type { ItemLine, RankedTopics } from './item-markdown.ts';
import { linkTo, markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';
import type { ReportMarkdownInput } from './report-markdown.ts';

// The text half of a tool's answer: titles, sources and links, without summaries and ids, which are in its structured half
// and in the resources.

/** One item; every fact on a line of its own, so that none is mistaken for another. */
function itemOutline({ title, source, links, publishedAt, discoveredAt }: ItemLine, mark = '-'): string[] {
  const date = (publishedAt ?? discoveredAt)?.slice(0, 10);
  return [
    `${mark} **${plainText(title)}**`,
    `  ${date === undefined ? '' : `${plainText(date)} `}${plainText(source.name)}`,
    `  ${linkTo(links.original)}`,
  ];
}

function topicOutline(topic: RankedTopics['items'][number]): string[] {
  const { story } = topic.links;
  return [
    ...itemOutline(topic, `${topic.rank}.`),
    ...(story === undefined ? [] : [`  story ${plainText(story.slice(story.lastIndexOf('/') + 1))}`]),
  ];
}

function outline(title: string, notes: readonly string[], lines: readonly string[]): string {
  const body = lines.length === 0 ? ['Nothing.'] : [untrustedNote, untrusted(lines)];
  return markdownDocument(title, [...notes, ...body]);
}

/** Notes are our own text: the age of the list and its next page. */
export function outlineItems(title: string, items: readonly ItemLine[], notes: readonly string[]): string {
  return outline(
    title,
    notes,
    items.flatMap((item) => itemOutline(item)),
  );
}

export function outlineHotTopics({ rankedAt, items }: RankedTopics): string {
  if (rankedAt === null) return markdownDocument('Hot topics', ['No ranking has been published yet.']);
  return outline('Hot topics', [`Ranked at ${rankedAt}.`], items.flatMap(topicOutline));
}

export function outlineReport(kind: string, report: ReportMarkdownInput): string {
  const { sections, flashes, corrections } = report;
  return outline(
    `Daybook ${kind} report, ${report.period}`,
    (report.editorsNotes ?? []).map((note) => `Editors’ note: ${plainText(note)}`),
    [
      `**${plainText(report.headline)}**`,
      plainText(report.overview),
      ...sections.flatMap(({ label, items }) => [
        `## ${plainText(label)}`,
        ...items.flatMap((item) => itemOutline(item)),
      ]),
      ...(flashes.length === 0 ? [] : ['## In brief', ...flashes.flatMap((item) => itemOutline(item))]),
      ...corrections.map(({ at, note }) => `Corrected ${plainText(at)}: ${plainText(note)}`),
    ],
  );
}

/** With its summary and the reason of its selection. */
export function outlineItem(item: Item): string {
  const facts = [item.summary, item.reason ?? ''].filter((fact) => fact !== '');
  return outline('Item', [], [...itemOutline(item), ...facts.map((fact) => `  ${plainText(fact)}`)]);
}

export function outlineSources(sources: readonly NewsSource[]): string {
  const lines = sources.map(
    ({ id, name, contributed }) =>
      `- ${plainText(name)} (${plainText(id)}), ${contributed.items} items in 7 days`,
  );
  return outline('Sources', [], lines);
}

export function outlineReports(
  kind: string,
  reports: readonly { readonly period: string; readonly headline: string }[],
): string {
  const lines = reports.map(({ period, headline }) => `- ${plainText(period)}: ${plainText(headline)}`);
  return outline(`The ${kind} reports`, [], lines);
}

export function outlineCorrections(
  corrections: readonly Pick<CorrectionEntry, 'at' | 'action' | 'subject' | 'reason'>[],
  notes: readonly string[],
): string {
  const lines = corrections.map(
    ({ at, action, subject, reason }) =>
      `- ${at.slice(0, 16)}Z ${action}: ${subject.kind} ${plainText(subject.id)}. ${plainText(reason)}`,
  );
  return outline('Corrections', notes, lines);
}

export function outlineChanges({ cursor, hasMore, changes }: ChangesPage): string {
  const lines = changes.flatMap((change) =>
    change.op === 'upsert'
      ? itemOutline(change.item)
      : [`- removed, do not report it: ${plainText(change.id)}`],
  );
  const safe = cursor.replaceAll(/[^\w.~:=+/-]/g, '');
  const note = `Next cursor: \`${safe}\`${hasMore ? '; more changes follow, call again now.' : '.'}`;
  return outline('Changes of the selected items', [note], lines);
}

export interface FileLine {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly size?: number;
  readonly passages?: readonly string[];
}

/** Folders and files of an account. Ids are needed for the next call. */
export function outlineFiles(title: string, entries: readonly FileLine[], notes: readonly string[]): string {
  return outline(
    title,
    notes,
    entries.flatMap(({ id, kind, name, size, passages = [] }) => [
      `- **${plainText(name)}**`,
      `  ${plainText(kind)} ${plainText(id)}${size === undefined ? '' : `, ${size} bytes`}`,
      ...passages.map((passage) => `  ${plainText(passage)}`),
    ]),
  );
}

/** A part of a text, line by line. */
export function outlineFileText(name: string, text: string, notes: readonly string[]): string {
  return outline('Text of a file', notes, [
    `**${plainText(name)}**`,
    '',
    ...text.split(/[\n\f]/).map(plainText),
  ]);
}
