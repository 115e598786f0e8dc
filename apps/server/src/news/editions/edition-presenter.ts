import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { editions } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import { formatInstant } from '../json-body.ts';
import type { EditionDefinition } from './edition-kinds.ts';

export interface EditionContext {
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
}

export interface EditionFlash {
  readonly id: string;
  readonly title: string;
  readonly language: string | null;
  readonly source: { readonly name: string };
  readonly links: { readonly item: string; readonly original: string; readonly story?: string };
  readonly publishedAt: string | null;
}

export interface EditionItem extends EditionFlash {
  readonly summary: string;
}

/** All fields of any kind of edition; `presentEdition` selects those of its kind. */
export interface Edition {
  readonly period: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly windowStart: string;
  readonly windowEnd: string;
  readonly generatedAt: string;
  readonly revision: number;
  readonly headline: string;
  readonly overview: string;
  /** Of headline and overview. */
  readonly language: ReaderLanguage;
  readonly links: { readonly report: string };
  readonly sections: readonly {
    readonly key: string;
    readonly label: string;
    readonly items: readonly EditionItem[];
  }[];
  readonly flashes: readonly EditionFlash[];
  readonly unselectedCount: number;
  readonly editorsNotes: readonly string[];
  readonly corrections: readonly { readonly at: string; readonly note: string }[];
}

/** In the words of a language, where they exist. */
export function composeEdition(
  recorded: editions.RecordedEdition,
  language: ReaderLanguage,
  context: EditionContext,
): Edition {
  const edition = editions.words.wordEdition(recorded, language);
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
    language: edition.language,
    links: { report: context.addresses.edition(edition) },
    sections: edition.sections.map(({ key, label, items }) => ({
      key,
      label,
      items: items.map((one) => ({ ...presentFlash(one, context), summary: one.summary })),
    })),
    flashes: edition.flashes.map((one) => presentFlash(one, context)),
    unselectedCount: edition.unselectedCount,
    editorsNotes: edition.notes.map(({ text }) => text),
    corrections: edition.corrections.map(({ at, note }) => ({ at: formatInstant(at), note })),
  };
}

function presentFlash(item: editions.CitedItem, { addresses, storyLayer }: EditionContext): EditionFlash {
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

/** A daily has its window and flashes; the others have their days. */
export function presentEdition({ kind, label }: EditionDefinition, edition: Edition): object {
  const { period, periodStart, periodEnd, windowStart, windowEnd, flashes, corrections, ...rest } = edition;
  if (kind === 'daily') return { date: period, windowStart, windowEnd, ...rest, flashes, corrections };
  return { [label]: period, periodStart, periodEnd, ...rest, corrections };
}

export function presentEntry(
  { kind, label }: Pick<EditionDefinition, 'kind' | 'label'>,
  recorded: editions.EditionEntry,
  language: ReaderLanguage,
  addresses: Addresses,
): object {
  const entry = editions.words.wordEntry(recorded, language);
  const days = kind === 'daily' ? {} : { periodStart: entry.periodStart, periodEnd: entry.periodEnd };
  return {
    [label]: entry.period,
    ...days,
    generatedAt: formatInstant(entry.generatedAt),
    headline: entry.headline,
    language: entry.language,
    links: { report: addresses.edition(entry) },
  };
}
