import { isObject, textOf } from '../parse/json-feed-reader.ts';
import { parseJson } from '../parse/parse-json.ts';
import type { ResponseHeaders } from './response-headers.ts';

/** How a publisher can exclude an article from machine reading. */
export type OptOut =
  | 'robots.txt'
  /** RFC 9309 section 2.3.1.4: an unreachable robots.txt forbids everything. */
  | 'robots.txt unreachable'
  | 'tdm-reservation'
  | 'noai';

/** In the headers of the page: TDMRep's `tdm-reservation: 1`, `X-Robots-Tag: noai`. */
export function headerOptOut(headers: ResponseHeaders, productToken: string): OptOut | null {
  if (headers['tdm-reservation']?.trim() === '1') return 'tdm-reservation';
  return (headers['x-robots-tag'] ?? '').split(',').some((part) => saysNoAi(part, productToken))
    ? 'noai'
    : null;
}

/** The same in the page's `meta` elements. */
export function metaOptOut(html: string, productToken: string): OptOut | null {
  for (const [element] of html.slice(0, 200_000).matchAll(/<meta\s[^<>]{0,1000}>/giu)) {
    const name = attribute(element, 'name')?.toLowerCase();
    const content = attribute(element, 'content') ?? '';
    if (name === 'tdm-reservation' && content.trim() === '1') return 'tdm-reservation';
    const isForUs = name === 'robots' || name === productToken.toLowerCase();
    if (isForUs && content.split(',').some((part) => saysNoAi(part, productToken))) return 'noai';
  }
  return null;
}

/** `noai`; but not `otherbot: noai`, which names another crawler. */
function saysNoAi(part: string, productToken: string): boolean {
  const [directive = '', agent] = part.toLowerCase().split(':').toReversed();
  if (agent !== undefined && agent.trim() !== productToken.toLowerCase()) return false;
  return directive.trim() === 'noai' || directive.trim() === 'noml';
}

function attribute(element: string, name: string): string | null {
  const match = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'iu').exec(
    element,
  );
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

/** Paths that `/.well-known/tdmrep.json` reserves; the first match decides. */
export interface TdmFile {
  readonly reserves: (pathname: string) => boolean;
}

export const noTdmFile: TdmFile = { reserves: () => false };
const locationsMax = 1_000;

export function parseTdmFile(text: string): TdmFile {
  const json = parseJson(text);
  const rules = (Array.isArray(json) ? (json as readonly unknown[]) : [])
    .slice(0, locationsMax)
    .filter(isObject)
    .map((rule) => ({
      location: textOf(rule['location']) ?? '',
      isReserved: textOf(rule['tdm-reservation']) === '1',
    }))
    .filter(({ location }) => location.startsWith('/'));
  return {
    reserves: (pathname) => rules.find(({ location }) => isWithin(pathname, location))?.isReserved ?? false,
  };
}

/** `/news/*`, `/*.html`, `/news/` as a folder, or one page. */
function isWithin(pathname: string, location: string): boolean {
  const [first = '', ...others] = location.split('*');
  if (!pathname.startsWith(first)) return false;
  const last = others.at(-1);
  if (last === undefined)
    return pathname === location || (location.endsWith('/') && pathname.startsWith(location));
  return pathname.length >= first.length + last.length && pathname.endsWith(last);
}
