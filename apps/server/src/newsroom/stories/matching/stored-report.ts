import { createHash } from 'node:crypto';

import type { EntryTerms, Term, TextTerms } from './entry-terms.ts';
import { indexTerms, postedTerms } from './entry-terms.ts';
import type { ReadReport } from './reading-groups.ts';
import { readingKeys } from './reading-groups.ts';

type TextPart = Pick<TextTerms, 'quantities'> & {
  readonly companies: readonly string[];
  readonly versions: readonly (readonly [string, readonly string[]])[];
};

/** A report as the index keeps it: JSON, with how often its terms had been seen when it came. */
export interface StoredReport {
  readonly languages: readonly ('en' | 'zh')[];
  readonly terms: readonly Term[];
  /** For each term, the sum of `places` that hold it. */
  readonly places: readonly number[];
  /** For each term, its weight in the headline; 0 where it is not there. */
  readonly weights: readonly number[];
  readonly counts: readonly number[];
  readonly title: TextPart;
  readonly text: TextPart | null;
  readonly addressKey: string | null;
  readonly at: number | null;
  readonly roundup: boolean;
  readonly signature: ReadReport['signature'];
}

const places = { title: 1, titleName: 2, text: 4, textName: 8 } as const;

export function storeReport(report: ReadReport, reportsWith: (term: Term) => number): StoredReport {
  const { terms: entry, signature } = report;
  const { title, text } = entry;
  const terms = [...indexTerms(entry).keys()];
  return {
    languages: [...entry.languages],
    terms,
    places: terms.map(
      (term) =>
        (title.terms.has(term) ? places.title : 0) +
        (title.names.has(term) ? places.titleName : 0) +
        (text?.terms.has(term) === true ? places.text : 0) +
        (text?.names.has(term) === true ? places.textName : 0),
    ),
    weights: terms.map((term) => entry.headline.get(term) ?? 0),
    counts: terms.map(reportsWith),
    title: storeText(title),
    text: text === null ? null : storeText(text),
    addressKey: entry.addressKey,
    at: entry.at,
    roundup: entry.roundup,
    signature,
  };
}

export function restoreReport(
  stored: StoredReport,
): ReadReport & { readonly counts: ReadonlyMap<Term, number> } {
  const held = {
    title: new Set<Term>(),
    titleName: new Set<Term>(),
    text: new Set<Term>(),
    textName: new Set<Term>(),
  };
  const headline = new Map<Term, number>();
  const counts = new Map<Term, number>();
  for (const [at, term] of stored.terms.entries()) {
    const place = stored.places[at] ?? 0;
    if ((place & places.title) > 0) held.title.add(term);
    if ((place & places.titleName) > 0) held.titleName.add(term);
    if ((place & places.text) > 0) held.text.add(term);
    if ((place & places.textName) > 0) held.textName.add(term);
    const weight = stored.weights[at] ?? 0;
    if (weight > 0) headline.set(term, weight);
    counts.set(term, stored.counts[at] ?? 1);
  }
  const terms: EntryTerms = {
    languages: new Set(stored.languages),
    title: restoreText(stored.title, held.title, held.titleName),
    text: stored.text === null ? null : restoreText(stored.text, held.text, held.textName),
    headline,
    addressKey: stored.addressKey,
    at: stored.at,
    roundup: stored.roundup,
  };
  return { terms, signature: stored.signature, counts };
}

/** The keys of near-identical reports stand in the same index as the terms, under a letter of their own. */
export function readingTerms({ signature }: ReadReport): readonly string[] {
  return readingKeys(signature).map(
    (key) => `r:${createHash('sha256').update(key).digest('base64url').slice(0, 12)}`,
  );
}

/** Everything the index finds a report by. A roundup is found by nothing. */
export function allPostedTerms(report: ReadReport): readonly string[] {
  return report.terms.roundup ? [] : [...postedTerms(report.terms).keys(), ...readingTerms(report)];
}

function storeText({ companies, quantities, versions }: TextTerms): TextPart {
  return {
    companies: [...companies],
    quantities,
    versions: Array.from(versions, ([name, known]) => [name, [...known]] as const),
  };
}

function restoreText(
  { companies, quantities, versions }: TextPart,
  terms: ReadonlySet<Term>,
  names: ReadonlySet<Term>,
): TextTerms {
  return {
    terms,
    names,
    companies: new Set(companies),
    quantities,
    versions: new Map(versions.map(([name, known]) => [name, new Set(known)])),
  };
}
