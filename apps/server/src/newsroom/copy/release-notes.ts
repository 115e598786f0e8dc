import type { EntryText } from './writer.ts';
import { isChinese, summaryCharsMax } from './writer.ts';

export type ReleaseEntry = Pick<
  EntryText,
  'title' | 'text' | 'language' | 'sourceName' | 'url' | 'isReleaseNotes'
>;

/** Lines of a text that are read. */
const linesMax = 150;
/** A longer line is a paragraph. */
const changeChars = { min: 10, minHan: 5, max: 220 } as const;
/** The share of list entries among the lines; less is enough for a text that is classified as release notes. */
const listShareMin = { plain: 0.6, classified: 0.4 } as const;

/**
 * "Version 2.3 of Lumo: add streaming; fix a leak in the parser." The two most important changes of a list in the
 * publisher's words, from a text without instructions to machines. Null if the title names no version or the text is no list of changes.
 */
export function releaseSummary(entry: ReleaseEntry): string | null {
  const release = releaseOf(entry);
  if (release === null) return null;
  const lines = entry.text.split('\n', linesMax).map(plainLine);
  const changes = changesIn(lines);
  const isClassified = entry.isReleaseNotes === true;
  const shareMin = isClassified ? listShareMin.classified : listShareMin.plain;
  const read = lines.filter((line) => line !== '' && sectionOf(line) === undefined).length;
  if (changes.length < 2 || changes.length < read * shareMin) return null;
  const best = changes
    .filter(({ worth }) => worth > 0)
    .sort((one, other) => other.worth - one.worth || one.at - other.at)
    .slice(0, 2)
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text);
  return best.length === 0 ? null : statementOf(release, best, entry.language);
}

interface Release {
  readonly name: string;
  readonly version: string;
}

function statementOf(
  { name, version }: Release,
  changes: readonly string[],
  language: string,
): string | null {
  const isHan = isChinese(language);
  const compose = (some: readonly string[]): string =>
    isHan
      ? `${name} ${version} 版：${some.join('；')}。`
      : `Version ${version} of ${name}: ${some.join('; ')}.`;
  const texts = isHan ? changes : changes.map(inSentence);
  return (
    [texts, texts.slice(0, 1), texts.slice(1)]
      .map(compose)
      .find((statement) => statement.length <= summaryCharsMax(language)) ?? null
  );
}

/** No date, no figure with a unit. */
const versionForm =
  /(?<![\p{L}\d.,$€£¥-])(?:v(?:ersion)?\.? ?)?(?<version>\d{1,4}(?:\.\d{1,4}){1,3}(?:[-.]?(?:alpha|beta|rc|pre|dev|preview|b|a)[.-]?\d*)?)(?![\d.]*\d|\s?(?:%|percent|billion|million|[kmg]?b\b|亿|万|折|元))/iu;
const dateForm = /\b\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b|\b(?:19|20)\d\d\.\d{1,2}\.\d{1,2}\b/u;
const commitForm = /^(?:bump|merge|update|upgrade|fix|chore|build|revert)\b/iu;
const releaseWords =
  /\b(?:release notes?|patch notes?|change ?logs?|releases?|released|is out|is here|is (?:now )?available|now available|announcing|introducing|version|update|what[’']s new)\b|更新日志|版本说明|发布说明|正式发布|发布|更新|版本|正式版|推出/giu;

function releaseOf({ title, sourceName, url = '' }: ReleaseEntry): Release | null {
  if (dateForm.test(title) || commitForm.test(title)) return null;
  const version = versionForm.exec(title)?.groups?.['version'];
  if (version === undefined) return null;
  const name = [nameIn(title), repositoryOf(url), nameIn(sourceName)].find((one) => one !== '');
  return name === undefined || name.length > 60 ? null : { name, version };
}

/** "jj v0.41.0 is out": jj. Empty for "v0.41.0". */
function nameIn(title: string): string {
  const found = versionForm.exec(title);
  const before = found === null ? title : title.slice(0, found.index);
  const [, repository] = /[\w.-]+ ?\/ ?([\w.-]+)\s*$/u.exec(title) ?? [];
  const named = before
    .replaceAll(releaseWords, ' ')
    .replaceAll(/\b(?:from|of|for|by)\b/giu, ' ')
    .split(/[:：,，|｜·—–(（]/u)
    .map((part) => part.replaceAll(/\s+/gu, ' ').trim())
    .findLast((part) => /\p{L}/u.test(part));
  return named ?? repository ?? '';
}

function repositoryOf(url: string): string {
  return /^https?:\/\/(?:www\.)?(?:github|gitlab)\.com\/[^/]+\/([^/]+)/u.exec(url)?.[1] ?? '';
}

interface Change {
  readonly text: string;
  readonly at: number;
  readonly worth: number;
}

/** The worth of the changes below a heading. */
const sections: readonly (readonly [number, RegExp])[] = [
  [
    -20,
    /^(?:new contributors?|contributors?|thanks|credits|acknowledge?ments|full changelog|assets|checksums?|downloads?|installation|贡献者|致谢|下载|完整日志)/iu,
  ],
  [
    -5,
    /^(?:docs?|documentation|chores?|internal|dependenc\w+|ci|build|tests?|refactor\w*|maintenance|misc\w*|housekeeping|文档|依赖|测试|构建|杂项)/iu,
  ],
  [2, /^(?:bug ?fix(?:es)?|fix(?:es|ed)?|patches|bugs|修复|问题修复|缺陷)/iu],
  [6, /^(?:breaking|highlights?|major|重大|不兼容|亮点)/iu],
  [5, /^(?:security|安全)/iu],
  [5, /^(?:(?:new )?features?|added|additions|new|what[’']s new|enhancements?|新功能|新特性|新增|特性)/iu],
  [4, /^(?:improve\w*|performance|optimi[sz]\w*|改进|优化|性能)/iu],
  [
    3,
    /^(?:what[’']s changed|changes?|changed|updates?|general|deprecat\w*|removed|removals|变更|变化|移除|弃用)/iu,
  ],
];
const headingChars = { plain: 36, han: 8 } as const;
const withoutSection = 2.5;

/** The worth of a section, if the line is its heading. */
function sectionOf(line: string): number | undefined {
  const charsMax = /\p{Script=Han}/u.test(line) ? headingChars.han : headingChars.plain;
  if (line.length > charsMax || /[.。;；!！?？]$/u.test(line)) return undefined;
  const words = line.replace(/^[^\p{L}]+/u, '').split(/\s+/u).length;
  if (words > 4) return undefined;
  return sections.find(([, form]) => form.test(line.replace(/^[^\p{L}]+/u, '')))?.[0];
}

function changesIn(lines: readonly string[]): Change[] {
  let section = withoutSection;
  return lines.flatMap((line, at) => {
    const heading = sectionOf(line);
    if (heading !== undefined) {
      section = heading;
      return [];
    }
    const text = withoutReferences(line);
    const min = /\p{Script=Han}/u.test(text) ? changeChars.minHan : changeChars.min;
    if (text.length < min || text.length > changeChars.max || isProse(text)) return [];
    return [{ text, at, worth: section + worthOf(line) - at / 40 }];
  });
}

/** Several sentences are a paragraph, no entry of a list. */
function isProse(text: string): boolean {
  return (text.match(/[.!?] \p{Lu}|[。！？](?=.)/gu)?.length ?? 0) > 0;
}

const worths: readonly (readonly [number, RegExp])[] = [
  [-6, /^(?:docs|chore|ci|test|tests|build|style|refactor)\b\s*(?:\([^)]*\))?!?:/iu],
  [
    -4,
    /^(?:bump|merge|upgrade \S+ (?:to|from)|update (?:dependency|dependencies|the readme|readme|changelog))\b|^更新(?:依赖|文档)/iu,
  ],
  [
    -4,
    /\b(?:typos?|documentation|docs|readme|lint(?:er|ing)?|workflow|ci\b|unit tests?|test coverage|gitignore|internal)\b|错别字|单元测试/iu,
  ],
  [
    -8,
    /^(?:full changelog|thanks|see |read |https?:|download|install|made their first|@)|first contribution|^(?:感谢|下载|安装|详见)/iu,
  ],
  [4, /breaking|^\w+(?:\([^)]*\))?!:|不兼容/iu],
  [3, /\b(?:security|vulnerabilit\w+|cve-\d+)\b|漏洞|安全/iu],
  [3, /^(?:feat|feature)\b/iu],
  [
    2,
    /^(?:\S+: )?(?:add(?:s|ed)?|support\w*|introduc\w+|new|allow\w*|implement\w*|enabl\w+|now|remov\w+|drop\w*|deprecat\w+|replac\w+|renam\w+)\b|^(?:新增|支持|引入|增加|添加|移除|弃用|允许)/iu,
  ],
  [
    1.5,
    /^(?:perf|improv\w+|faster|reduc\w+|speed\w*|optimi[sz]\w+)\b|\d+ ?(?:%|x\b|倍)|^(?:优化|提升|改进|降低)/iu,
  ],
];

function worthOf(line: string): number {
  return worths.reduce((sum, [worth, form]) => sum + (form.test(line) ? worth : 0), 0);
}

function plainLine(line: string): string {
  return line
    .replace(/^[\s#>*+•·–—-]+(?=\S)/u, '')
    .replaceAll(/\*\*|__|`/gu, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/gu, '$1')
    .trim();
}

/** Without the kind of the commit, issues, authors and addresses. */
function withoutReferences(line: string): string {
  return line
    .replace(/^(?:feat|feature|fix|perf|refactor|docs|chore|ci|test|build|style)\b(?:\([^)]*\))?!?:\s*/iu, '')
    .replace(/^\(?#\d+\)?:?\s*/u, '')
    .replaceAll(/\s+(?:by @[\w-]+(?:\[bot\])?)?\s*in (?:#\d+|https?:\S+)$/gu, '')
    .replaceAll(
      /\s*(?:\(|\[)(?:(?:see|closes?|fix(?:es)?|by|thanks|,|and|\s|#\d+|@[\w-]+|[0-9a-f]{7,40}|https?:[^\s)\]]+)+)(?:\)|\])/giu,
      '',
    )
    .replaceAll(/,? (?:closes|fixes|resolves|refs?) #\d+/giu, '')
    .replaceAll(/\s*https?:\S+/gu, '')
    .replace(/[\s.;；。,，:：]+$/u, '')
    .trim();
}

const firstVerbs =
  /^(?:Add|Adds|Added|Fix|Fixes|Fixed|Support|Supports|Introduce|Introduces|Allow|Allows|Implement|Implements|Enable|Enables|Remove|Removes|Removed|Drop|Drops|Dropped|Improve|Improves|Improved|Reduce|Reduces|Make|Makes|Update|Updates|Updated|Change|Changes|Changed|Deprecate|Deprecated|Rename|Renamed|Replace|Replaced|Use|Uses|New|Handle|Handles|Avoid|Prevent|Ensure|Expose|Speed)\b/u;

/** The first verb of a change in small letters; a name stays. */
function inSentence(change: string): string {
  return firstVerbs.test(change) ? change.slice(0, 1).toLowerCase() + change.slice(1) : change;
}
