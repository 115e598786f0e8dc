import type { ItemLine } from './item-markdown.ts';
import { itemLines } from './item-markdown.ts';
import { markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

/** A daily, weekly or monthly edition, all in one format. */
export interface ReportMarkdownInput {
  readonly period: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly generatedAt: string;
  readonly revision: number;
  readonly headline: string;
  readonly overview: string;
  readonly sections: readonly { readonly label: string; readonly items: readonly ItemLine[] }[];
  readonly flashes: readonly ItemLine[];
  /** Entries that the editorial rules had not selected; absent in responses of older servers. */
  readonly unselectedCount?: number;
  /** Absent in responses of older servers. */
  readonly editorsNotes?: readonly string[];
  readonly corrections: readonly { readonly at: string; readonly note: string }[];
}

function fillNote({ unselectedCount = 0, sections }: ReportMarkdownInput): readonly string[] {
  if (unselectedCount === 0) return [];
  const entries = sections.reduce((sum, { items }) => sum + items.length, 0);
  return [
    `Few stories were selected in this period. ${unselectedCount} of ${entries} entries were not selected; they have the highest scores of the remaining items.`,
  ];
}

export function writeReport(kind: string, report: ReportMarkdownInput): string {
  const { sections, flashes, corrections } = report;
  return markdownDocument(`Daybook ${kind} report, ${report.period}`, [
    `${report.periodStart} to ${report.periodEnd}; revision ${report.revision}, generated at ${report.generatedAt}.`,
    ...fillNote(report),
    ...(report.editorsNotes ?? []).map((note) => `Editors’ note: ${plainText(note)}`),
    untrustedNote,
    untrusted([
      `**${plainText(report.headline)}**`,
      '',
      plainText(report.overview),
      ...sections.flatMap(({ label, items }) => [
        '',
        `## ${plainText(label)}`,
        '',
        ...items.flatMap(itemLines),
      ]),
      ...(flashes.length === 0 ? [] : ['', '## In brief', '', ...flashes.flatMap(itemLines)]),
      ...(corrections.length === 0 ? [] : ['', '## Corrections', '']),
      ...corrections.map(({ at, note }) => `- ${plainText(at)}: ${plainText(note)}`),
    ]),
  ]);
}
