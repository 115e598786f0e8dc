import type { PageStatements } from './page-statements.ts';
import { plainForm } from './page-statements.ts';
import { endsSentence, isAuthorLine, isOnlyDate, wordCount } from './paragraph-role.ts';
import type { Paragraph, ParagraphRole } from './paragraph.ts';

/** Headings and marks that end an article or a company's announcement. */
const endings =
  /^(?:about the authors?$|(?:media|press|investor) (?:contacts?|relations|inquiries)\b|contacts?:?$|forward-looking statements?|safe harbor|# ?# ?#$|comments?$|leave a (?:comment|reply)|(?:more|other) (?:great|from|stories|news|coverage|articles)\b|related\b|references:?$|further reading|媒体联系|免责声明|(?:相关|推荐|延伸|精彩|热门|更多)(?:阅读|新闻|报道|文章|推荐|内容|视频)|参考(?:资料|文献)|媒体报道$)/iu;
const endingWordsMax = 8;
const kickerWordsMax = 7;
const kickersMax = 2;
const paragraphWordsMin = 8;

/** Decides the roles that depend on where a paragraph is: what precedes and what follows an article. */
export function articleRange(
  paragraphs: readonly Paragraph[],
  statements: PageStatements,
): readonly Paragraph[] {
  const roles = paragraphs.map(({ role, text }) =>
    role === 'body' && statements.titles.includes(plainForm(text)) ? 'headline' : role,
  );
  const isBody = (at: number): boolean => roles[at] === 'body';
  const texts = paragraphs.map(({ text }) => text);
  dropOutside(texts, roles, statements.body);
  dropEnding(texts, roles);
  const first = texts.findIndex(
    (text, at) => isBody(at) && endsSentence(text) && wordCount(text) >= paragraphWordsMin,
  );
  const before = texts.slice(0, Math.max(0, first)).flatMap((text, at) => (isBody(at) ? [{ text, at }] : []));
  if (before.length <= kickersMax + 2)
    for (const { text, at } of before) roles[at] = isKicker(text) ? 'dateline' : 'standfirst';
  const opening = plainForm(texts[first] ?? '');
  if (opening !== '' && statements.descriptions.some((text) => text === opening)) roles[first] = 'standfirst';
  return texts.map((text, at) => ({ text, role: roles[at] ?? 'body' }));
}

/** Where JSON-LD states the text of the article, a paragraph of which it contains no part is another one's. */
function dropOutside(texts: readonly string[], roles: ParagraphRole[], body: string): void {
  if (body === '') return;
  const plain = texts.map(plainForm);
  const isInside = plain.map((text) => isPartOf(text, body));
  const length = (among: (at: number) => boolean): number =>
    plain.reduce((sum, text, at) => sum + (roles[at] === 'body' && among(at) ? text.length : 0), 0);
  if (length((at) => isInside[at] === true) < length(() => true) * 0.8) return;
  for (const at of roles.keys()) if (roles[at] === 'body' && isInside[at] === false) roles[at] = 'promotion';
}

const partChars = 24;

function isPartOf(text: string, body: string): boolean {
  if (text.length <= partChars) return body.includes(text);
  const middle = Math.floor((text.length - partChars) / 2);
  return [0, middle, text.length - partChars].some((from) =>
    body.includes(text.slice(from, from + partChars)),
  );
}

/** Removes what follows an article inside its own element. */
function dropEnding(texts: readonly string[], roles: ParagraphRole[]): void {
  const bodies = [...roles.keys()].filter((at) => roles[at] === 'body');
  const half = bodies[Math.floor(bodies.length / 2)] ?? 0;
  const ending = bodies.find(
    (at) => at > half && wordCount(texts[at] ?? '') <= endingWordsMax && endings.test(texts[at] ?? ''),
  );
  const listed = roles.findIndex((role, at) => role === 'links' && at > half && isLinkList(texts, roles, at));
  const end = Math.min(ending ?? texts.length, listed === -1 ? texts.length : listed);
  for (const at of bodies) if (at >= end) roles[at] = 'links';
  const article = bodies.filter((at) => at < end);
  const authors = article.length > 3 ? [article[0], ...article.slice(-2)] : [];
  for (const at of authors) if (at !== undefined && isAuthorLine(texts[at] ?? '')) roles[at] = 'biography';
  const last = article.findLastIndex((at) => roles[at] === 'body' && !isKicker(texts[at] ?? ''));
  const after = article.slice(last + 1);
  // More lines without a sentence are a list that belongs to the article.
  if (after.length <= kickersMax) for (const at of after) if (roles[at] === 'body') roles[at] = 'links';
}

const linkedWordsMax = 25;

/** "More stories": a heading that only short lines follow. */
function isLinkList(texts: readonly string[], roles: readonly ParagraphRole[], at: number): boolean {
  if (!endings.test(texts[at] ?? '')) return false;
  return texts
    .slice(at + 1)
    .every((text, after) => roles[at + 1 + after] !== 'body' || wordCount(text) <= linkedWordsMax);
}

/** A section, a place, a date or the name of an agency in a line of its own. */
function isKicker(text: string): boolean {
  return isOnlyDate(text) || (!endsSentence(text) && wordCount(text) <= kickerWordsMax);
}
