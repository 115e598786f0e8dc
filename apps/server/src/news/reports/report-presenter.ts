import type { recorded } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import { formatInstant } from '../json-body.ts';
import type { ReportDefinition } from './report-kinds.ts';

export interface ReportContext {
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
}

export interface ReportFlash {
  readonly id: string;
  readonly title: string;
  readonly language: string | null;
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

export function composeReport(edition: recorded.RecordedEdition, context: ReportContext): Report {
  return {
    period: edition.period,
    periodStart: edition.periodStart,
    periodEnd: edition.periodEnd,
    windowStart: formatInstant(edition.windowStart),
    windowEnd: formatInstant(edition.windowEnd),
    generatedAt: formatInstant(edition.generatedAt),
    revision: edition.revision,
    headline: edition.headline,
    overview: edition.overview,
    links: { report: context.addresses.report(edition) },
    sections: edition.sections.map(({ key, label, items }) => ({
      key,
      label,
      items: items.map((one) => ({ ...presentFlash(one, context), summary: one.summary })),
    })),
    flashes: edition.flashes.map((one) => presentFlash(one, context)),
    corrections: edition.corrections.map(({ at, note }) => ({ at: formatInstant(at), note })),
  };
}

function presentFlash(item: recorded.CitedItem, { addresses, storyLayer }: ReportContext): ReportFlash {
  return {
    id: item.id,
    title: item.title,
    language: item.language,
    source: { name: item.sourceName },
    links: {
      item: addresses.item(item.id),
      original: item.originalUrl,
      ...(storyLayer && item.storyId !== null ? { story: addresses.story(item.storyId) } : {}),
    },
    publishedAt: formatInstant(item.publishedAt),
  };
}

/** A daily names its window and has flashes; the others name their days. */
export function presentReport({ kind, label }: ReportDefinition, report: Report): object {
  const { period, periodStart, periodEnd, windowStart, windowEnd, flashes, corrections, ...rest } = report;
  if (kind === 'daily') return { date: period, windowStart, windowEnd, ...rest, flashes, corrections };
  return { [label]: period, periodStart, periodEnd, ...rest, corrections };
}

export function presentEntry(
  { kind, label }: Pick<ReportDefinition, 'kind' | 'label'>,
  entry: recorded.EditionEntry,
  addresses: Addresses,
): object {
  const days = kind === 'daily' ? {} : { periodStart: entry.periodStart, periodEnd: entry.periodEnd };
  return {
    [label]: entry.period,
    ...days,
    generatedAt: formatInstant(entry.generatedAt),
    headline: entry.headline,
    links: { report: addresses.report(entry) },
  };
}
