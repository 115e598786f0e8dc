import { stemOf } from '@daybook/grounding/text';

/** Parts of addresses unrelated to the text. Includes months: an address must not imply a date. */
const emptyWords = new Set(
  `www com org net html htm php aspx amp rss index news blog blogs article articles story stories post posts
  status release releases tag tags page pages topic topics category en cn us uk web http https utm feed archive
  live video videos press jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june
  july august september october november december the and for with from that this are was has have how what why
  who you your its it to of in on at by as is be a an or not`
    .split(/\s+/)
    .map(stemOf),
);
/** Hosts whose paths begin with the name of an account and a project. */
const accountHosts = new Set(['github.com', 'gitlab.com', 'huggingface.co', 'x.com', 'twitter.com']);
const wordsMax = 24;
/** Excludes identifiers: parts with digits, or longer than words. */
const wordForm = /^[a-z]{3,20}$/;
/** Added when a link is shared. */
const trackingParameter = /^(?:utm_|fbclid|gclid|ref$|source$|from$|track|spm$|srnd$)/;

/** Words of an address's path: publishers write a second headline there, often in English if the title is not. */
export function addressWords(url: string | null): readonly string[] {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null) return [];
  const host = hostOf(parsed);
  const segments = decodedPath(parsed.pathname).toLowerCase().split('/');
  const hostLabels = new Set(host.split('.'));
  const words = segments
    .filter((segment, at) => isHeadline(segment, at, segments) || (accountHosts.has(host) && at <= 2))
    .flatMap((segment) => segment.split(/[^\p{L}\d]+/u))
    .filter((word) => wordForm.test(word) && !hostLabels.has(word))
    .map(stemOf)
    .filter((word) => !emptyWords.has(word));
  return [...new Set(words)].slice(0, wordsMax);
}

/** The last part, or several joined words: sections of a site are single words. */
function isHeadline(segment: string, at: number, segments: readonly string[]): boolean {
  return at === segments.findLastIndex((one) => one !== '') || /[a-z]+[-_][a-z]+[-_][a-z]+/.test(segment);
}

/** Equal if two items link to one page: no scheme, no `www.`, no trailing slash, no tracking. */
export function addressKey(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null) return null;
  const path = parsed.pathname.replace(/\/+$/, '');
  const query = new URLSearchParams(
    [...parsed.searchParams].filter(([name]) => !trackingParameter.test(name)),
  );
  query.sort();
  if (path === '' && query.size === 0) return null;
  return `${hostOf(parsed)}${path}${query.size === 0 ? '' : `?${query.toString()}`}`.toLowerCase();
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^(?:www|m|amp)\./, '');
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
