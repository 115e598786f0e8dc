import type { ItemLine } from './item-markdown.ts';
import { itemLines } from './item-markdown.ts';
import { markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

/** A daily, weekly or monthly edition, all in one format. */
export interface ToldReport {
  readonly period: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly generatedAt: string;
  readonly revision: number;
  readonly headline: string;
  readonly overview: string;
  readonly sections: readonly { readonly label: string; readonly items: readonly ItemLine[] }[];
  readonly flashes: readonly ItemLine[];
  readonly corrections: readonly { readonly at: string; readonly note: string }[];
}

export function writeReport(kind: string, report: ToldReport): string {
  const { sections, flashes, corrections } = report;
  return markdownDocument(`Daybook ${kind} report, ${report.period}`, [
    `${report.periodStart} to ${report.periodEnd}; revision ${report.revision}, generated at ${report.generatedAt}.`,
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
    ]),
    ...(corrections.length === 0
      ? []
      : ['## Corrections', corrections.map(({ at, note }) => `- ${at}: ${plainText(note)}`).join('\n')]),
  ]);
}
