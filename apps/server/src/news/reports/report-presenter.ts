import type { Addresses } from '../addresses.ts';
import { sentInstant, sentInstantOrNull } from '../record-instant.ts';
import type { ReportDefinition } from './report-kinds.ts';
import type { CitationRow, EditionEntryRow, EditionRow } from './report-store.ts';

export interface ReportContext {
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
}

export interface ReportFlash {
  readonly id: string;
  readonly title: string;
  readonly source: { readonly name: string };
  readonly links: { readonly item: string; readonly original: string; readonly story?: string };
  readonly publishedAt: string | null;
}

export interface ReportItem extends ReportFlash {
  readonly summary: string;
}

/** Everything any kind of report shows; `presentReport` puts it into the form of its kind. */
export interface Report {
  readonly period: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly windowStart: string;
  readonly windowEnd: string;
  readonly generatedAt: string;
  readonly revision: number;
  readonly headline: string;
  readonly overview: string;
  readonly links: { readonly report: string };
  readonly sections: readonly {
    readonly key: string;
    readonly label: string;
    readonly items: readonly ReportItem[];
  }[];
  readonly flashes: readonly ReportFlash[];
  readonly corrections: readonly { readonly at: string; readonly note: string }[];
}

export function composeReport({ kind }: ReportDefinition, row: EditionRow, context: ReportContext): Report {
  const bySection = Map.groupBy(row.citations, ({ section }) => section);
  const flashes = bySection.get(null) ?? [];
  return {
    period: row.period,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    windowStart: sentInstant(row.window_start),
    windowEnd: sentInstant(row.window_end),
    generatedAt: sentInstant(row.generated_at),
    revision: row.revision,
    headline: row.headline,
    overview: row.overview,
    links: { report: context.addresses.report(kind, row.period) },
    sections: row.sections
      .map(({ key, label }) => ({ key, label, cited: bySection.get(key) ?? [] }))
      // Withdrawals may have emptied one.
      .filter(({ cited }) => cited.length > 0)
      .map(({ key, label, cited }) => ({ key, label, items: cited.map((one) => presentItem(one, context)) })),
    flashes: flashes.map((one) => presentFlash(one, context)),
    corrections: row.corrections.map(({ at, note }) => ({ at: sentInstant(at), note })),
  };
}

function presentFlash(row: CitationRow, { addresses, storyLayer }: ReportContext): ReportFlash {
  return {
    id: row.id,
    title: row.title,
    source: { name: row.source_name },
    links: {
      item: addresses.item(row.id),
      original: row.original_url,
      ...(storyLayer && row.story_id !== null ? { story: addresses.story(row.story_id) } : {}),
    },
    publishedAt: sentInstantOrNull(row.published_at),
  };
}

function presentItem(row: CitationRow, context: ReportContext): ReportItem {
  return { ...presentFlash(row, context), summary: row.summary };
}

/** A daily names its window and has flashes; the others name their days. */
export function presentReport({ kind, label }: ReportDefinition, report: Report): object {
  const { period, periodStart, periodEnd, windowStart, windowEnd, flashes, corrections, ...rest } = report;
  if (kind === 'daily') return { date: period, windowStart, windowEnd, ...rest, flashes, corrections };
  return { [label]: period, periodStart, periodEnd, ...rest, corrections };
}

export function presentEntry(
  { kind, label }: ReportDefinition,
  row: EditionEntryRow,
  addresses: Addresses,
): object {
  const days = kind === 'daily' ? {} : { periodStart: row.period_start, periodEnd: row.period_end };
  return {
    [label]: row.period,
    ...days,
    generatedAt: sentInstant(row.generated_at),
    headline: row.headline,
    links: { report: addresses.report(kind, row.period) },
  };
}
