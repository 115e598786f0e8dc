import type { ReportDefinition } from '../reports/report-kinds.ts';
import type { Report } from '../reports/report-presenter.ts';
import { itemLines } from './item-markdown.ts';
import { markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

export function writeReport({ kind }: ReportDefinition, report: Report): string {
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
