import type { PageNames } from './page-names.ts';
import { withoutEscapes } from './page-names.ts';

/** The headline in a title: without the names of site, section and author around it. Never a part of the headline. */
export function headlineOf(title: string, { headlines, sites }: PageNames): string {
  const plain = withoutEscapes(title).replaceAll(/\s+/gu, ' ').trim();
  const stated = statedPart(plain, headlines, sites);
  if (stated !== null) return withoutFirst(stated, sites);
  const rest = withoutSites(plain, sites);
  const agreed = agreedHeadline(rest, headlines);
  return agreed === null ? rest : withoutSites(agreed, sites);
}

interface Cut {
  readonly at: number;
  readonly end: number;
  readonly mark: string;
}

const marks = /\s*(?:[|｜_»›]|::)\s*|\s+(?:-{1,2}|–|—|·|•|:|\/)\s+/gu;
/** Chinese titles have no space before the name; in other languages this is a hyphen inside a word. */
const hanMarks = new RegExp(`${marks.source}|(?<=[\\p{L}\\d”？！])[-—]+(?=[\\p{Lu}\\p{Script=Han}])`, 'gu');

function cutsOf(title: string): Cut[] {
  const form = /\p{Script=Han}/u.test(title) ? hanMarks : marks;
  return Array.from(title.matchAll(form), (match) => ({
    at: match.index,
    end: match.index + match[0].length,
    mark: match[0].trim(),
  }));
}

/** The longest part between two marks that the page states as its headline. */
function statedPart(title: string, headlines: readonly string[], sites: readonly string[]): string | null {
  const stated = new Set(headlines.map(folded));
  const [first = null, second] = cutsOf(title)
    .flatMap(({ at, end, mark }) => [
      { part: title.slice(0, at), mark, isAround: areAround(title.slice(end), sites) },
      { part: title.slice(end), mark, isAround: isBefore(title.slice(0, at), sites) },
    ])
    .filter(({ part, isAround }) => isAround && stated.has(folded(part)) && wordsIn(part) >= 3)
    .sort((one, other) => other.part.length - one.part.length);
  if (first === null || second === undefined || !first.part.startsWith(second.part))
    return first?.part ?? null;
  // "Headline | Editorial" is stated as well as "Headline": the rest is a section.
  const section = first.part.slice(second.part.length).replace(marks, '');
  return isSection(section, second.mark) ? second.part : first.part;
}

function isBefore(rest: string, sites: readonly string[]): boolean {
  return sections.test(rest.trim()) || isSite(rest, sites);
}

/** Names of sites and sections are short. */
function areAround(rest: string, sites: readonly string[]): boolean {
  const segments = rest.split(marks);
  return segments.every((segment) => wordsIn(segment) <= 4 || isSite(segment, sites));
}

/** Removes names of the site from both ends, then the names of its sections. */
function withoutSites(title: string, sites: readonly string[]): string {
  let rest = title;
  let removed = false;
  for (;;) {
    const cut = cutsOf(rest).at(-1);
    if (cut === undefined) break;
    const [head, last] = [rest.slice(0, cut.at).trimEnd(), rest.slice(cut.end)];
    const isName =
      isSite(last, sites) ||
      isHanSite(last, cut.mark) ||
      author.test(last) ||
      (removed && isSection(last, cut.mark));
    if (!isName || !isHeadline(head)) break;
    rest = head;
    removed = true;
  }
  return withoutFirst(rest, sites);
}

/** "Opinion | Headline". */
function withoutFirst(title: string, sites: readonly string[]): string {
  const first = cutsOf(title)[0];
  if (first === undefined) return title;
  const tail = title.slice(first.end);
  const head = title.slice(0, first.at);
  const isName = isSite(head, sites) || (/[|｜]/u.test(first.mark) && sections.test(head));
  return isName && isHeadline(tail) ? tail : title;
}

/** Chinese sites put sections and keywords behind an underscore or a bar. */
function isHanSite(segment: string, mark: string): boolean {
  if (!/\p{Script=Han}/u.test(segment) || segment.length > 16) return false;
  if (mark === '_') return true;
  return /(?:网|网站|網|網站|在线|日报|晚报|早报|電視台|电视台|频道|頻道|客户端|新闻|新聞|资讯|社区|博客|论坛|门户)$/u.test(
    segment,
  );
}

const sections =
  /^(?:(?:\p{L}+ )?(?:news|opinions?|editorials?|analysis|commentary|reviews?|features?|blogs?|sports?|business|money|markets?|finance|tech(?:nology)?|science|health|politics|world|lifestyle|entertainment|culture|travel|videos?|explainers?|exclusive|research|insights?|press releases?|education|gaming|ai|artificial intelligence))$/iu;

function isSection(segment: string, mark: string): boolean {
  if (/[|｜_»›]/u.test(mark)) return wordsIn(segment) <= 3 && segment.length <= 30;
  return sections.test(segment.trim());
}

const author = /^by \p{Lu}/u;

/** Two of a page's own statements agree, and the title is about the same. */
function agreedHeadline(title: string, headlines: readonly string[]): string | null {
  const counts = Map.groupBy(headlines, folded);
  if (counts.has(folded(title))) return null;
  const words = wordSet(title);
  for (const [, [one = '', another]] of counts) {
    if (another === undefined || !isHeadline(one)) continue;
    const shared = [...wordSet(one)].filter((word) => words.has(word)).length;
    if (shared >= Math.max(2, words.size / 2)) return one;
  }
  return null;
}

const isHeadline = (part: string): boolean => wordsIn(part) >= 2;

/** Words of spaced scripts; two Han characters count as one. */
function wordsIn(text: string): number {
  const spaced = text.match(/[\p{Script=Latin}\p{N}'’.]+/gu)?.length ?? 0;
  return spaced + Math.ceil((text.match(/\p{Script=Han}/gu)?.length ?? 0) / 2);
}

function wordSet(text: string): Set<string> {
  return new Set(folded(text).match(/\p{Script=Han}|[\p{L}\p{N}]+/gu));
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[‘’`´]/gu, "'")
    .replaceAll(/[“”]/gu, '"')
    .replaceAll(/[–—]/gu, '-')
    .replaceAll(/\s+/gu, ' ')
    .replace(/\.$/u, '')
    .trim();
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/^the\s+/u, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const siteWordsMax = 6;

/** Whether a part of a title is one of the names of its site. A host name is one of them. */
function isSite(segment: string, sites: readonly string[]): boolean {
  const name = bare(segment);
  if (name === '' || wordsIn(segment) > siteWordsMax) return false;
  return sites.some(
    (site) => bare(site) === name || (/^[\w.-]+\.\p{L}{2,}$/u.test(site) && isHostName(segment, site)),
  );
}

/** "CBS Detroit" of detroit.cbslocal.com, "The New York Times" of nytimes.com, "oregonlive.com". */
function isHostName(segment: string, host: string): boolean {
  const name = bare(segment);
  const labels = host
    .toLowerCase()
    .replace(/^www\./u, '')
    .split('.');
  if ([...labels, bare(labels.slice(-2).join('.')), bare(labels.join('.'))].includes(name)) return true;
  const words = (segment.toLowerCase().match(/[\p{Script=Latin}\p{N}]+/gu) ?? []).filter(
    (word) => word !== 'the',
  );
  const whole = labels.slice(0, -1).join('');
  // A Chinese name may contain more than the words of its address; one word of it alone may be the subject of a headline.
  const hasMore = words.length > 1 || /\p{Script=Han}/u.test(segment);
  if (hasMore && words.join('').length >= 3 && words.every((word) => whole.includes(word))) return true;
  return words.length > 1 && labels.some((label) => label.length >= 3 && isAbbreviation(label, words));
}

/** "nytimes" consists of beginnings of "new", "york" and "times". */
function isAbbreviation(label: string, [word = '', ...others]: readonly string[]): boolean {
  if (word === '') return label === '';
  for (let length = 1; length <= word.length && label.startsWith(word.slice(0, length)); length += 1) {
    if (isAbbreviation(label.slice(length), others)) return true;
  }
  return false;
}

const sharedMin = 4;
const sharedShareMin = 0.6;

/** Names at the end of most titles of one source: those of its site or author, which its headlines do not contain. */
export function sharedTitleEnds(titles: readonly string[]): string[] {
  const ends = titles.flatMap((title) => {
    const cut = cutsOf(title).at(-1);
    return cut === undefined ? [] : [{ end: title.slice(cut.end), head: title.slice(0, cut.at) }];
  });
  const needed = Math.max(sharedMin, titles.length * sharedShareMin);
  return [...Map.groupBy(ends, ({ end }) => end)]
    .filter(([, some]) => new Set(some.map(({ head }) => head)).size >= needed)
    .map(([end]) => end);
}

/** Whether a title has parts, one of which may be a name. */
export const hasParts = (title: string): boolean => cutsOf(title).length > 0;
