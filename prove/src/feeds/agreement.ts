import { decodeHTMLStrict } from 'entities';

import type { Assertion } from './assertion.ts';

/** A reader's result for a document, in the form of the assertions. */
export interface FeedFacts extends Facts {
  readonly entries: readonly Facts[];
}

export interface Facts {
  readonly title: string | null;
  readonly link: string | null;
  readonly id: string | null;
  readonly published: DateFact | null;
  readonly updated: DateFact | null;
  readonly summary: string | null;
  readonly content: string | null;
}

export interface DateFact {
  readonly raw: string | null;
  /** Seconds since 1970. */
  readonly seconds: number | null;
}

export function agrees({ entry, field, expected }: Assertion, feed: FeedFacts | null): boolean {
  const facts = entry === null ? feed : feed?.entries[entry];
  const found = facts?.[field] ?? null;
  if (field === 'published' || field === 'updated') {
    // Readers differ in whether a lone date is one of publication or of change; it is the same date.
    const dates = [found, facts?.published ?? null, facts?.updated ?? null] as readonly (DateFact | null)[];
    const date = dates.find((one) => one !== null);
    if (expected.form === 'instant') return date?.seconds === expected.value;
    return compact(date?.raw ?? '') === compact(expected.value);
  }
  const text = (found as string | null) ?? '';
  if (expected.form === 'instant') return false;
  if (expected.form === 'exact') return sameAddress(text, expected.value);
  const shown = shownText(expected.value);
  if (compact(text) === shown) return true;
  // Markup may be in the text only where the document itself declares it as plain.
  return expected.plain && compact(text) === compact(expected.value);
}

function sameAddress(found: string, expected: string): boolean {
  if (found.trim() === expected.trim()) return true;
  const [one, other] = [URL.parse(found), URL.parse(expected)];
  return one !== null && one.href === other?.href;
}

/** What a browser would show, without white space: readers differ in where they break lines. */
export function shownText(html: string): string {
  const visible = html
    .replaceAll(/<!--[^]*?-->/gu, '')
    .replaceAll(/<(script|style|noscript|object|applet|iframe|svg|math)\b[^>]*>[^]*?<\/\1>/giu, '')
    .replaceAll(/<\/?[a-z!?][^>]*>/giu, '');
  return compact(decodeHTMLStrict(visible));
}

function compact(text: string): string {
  return text.replaceAll(/[\s\u200b\u00ad]+/gu, '');
}
