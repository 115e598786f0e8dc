import type { Page } from '../parse/html-page.ts';
import { oneLine } from '../parse/html-text.ts';
import { structuredData } from '../parse/structured-data.ts';

/** How a page names itself: its headline and its site, each as often as the page states it. */
export interface PageNames {
  readonly headlines: readonly string[];
  readonly sites: readonly string[];
}

const headingsMax = 12;
const nameCharsMax = 300;
const depthMax = 6;

export function pageNames(page: Page, url: string): PageNames {
  const stated = structuredData(page).flatMap((value) => objectsIn(value, 0));
  const headings = [...page.querySelectorAll('h1')]
    .slice(0, headingsMax)
    .map(({ textContent }) => textContent);
  const meta = (...names: readonly string[]): string[] =>
    names.flatMap((name) =>
      [...page.querySelectorAll(`meta[property="${name}"], meta[name="${name}"]`)]
        .slice(0, 2)
        .map((element) => element.getAttribute('content') ?? ''),
    );
  return {
    headlines: plainNames([
      // A page has several tags for one statement: only statements of different kinds confirm each other.
      ...new Set(meta('og:title', 'twitter:title')),
      ...new Set(headings),
      ...new Set(stated.map(({ headline }) => headline)),
    ]),
    sites: plainNames([
      ...meta('og:site_name', 'application-name', 'al:ios:app_name'),
      ...stated.map(({ publisher }) => nameOf(publisher)),
      hostOf(url),
    ]),
  };
}

function plainNames(names: readonly unknown[]): string[] {
  return names
    .filter((name) => typeof name === 'string')
    .map((name) => oneLine(withoutEscapes(name.slice(0, 2 * nameCharsMax))))
    .filter((name) => name !== '' && name.length <= nameCharsMax);
}

const escapes: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
};

/** Names are often escaped twice. */
export function withoutEscapes(text: string): string {
  return text
    .replaceAll(/&(amp|quot|apos|lt|gt|nbsp);/gu, (whole, name: string) => escapes[name] ?? whole)
    .replaceAll(/&#(\d{2,6});/gu, (whole, code: string) =>
      Number(code) > 31 && Number(code) < 0xd8_00 ? String.fromCodePoint(Number(code)) : whole,
    );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

interface StatedObject {
  readonly headline?: unknown;
  readonly publisher?: unknown;
}

/** The described article and its parts; not those of other articles in a list. */
function objectsIn(value: unknown, depth: number): StatedObject[] {
  if (depth > depthMax || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => objectsIn(one, depth + 1));
  const { '@graph': graph, mainEntity } = value as Record<string, unknown>;
  return [value, ...objectsIn(graph, depth + 1), ...objectsIn(mainEntity, depth + 1)];
}

function nameOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as { readonly name?: unknown }).name : value;
}
