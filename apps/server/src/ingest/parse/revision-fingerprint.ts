import type { Sha256 } from '../../foundation/hash.ts';
import { sha256 } from '../../foundation/hash.ts';

const counterLine =
  /^.{0,80}\b(?:points?|comments?|views?|likes?|votes?|score|replies|shares?|upvotes|stars|reads?|阅读|评论|点赞|浏览)\b.{0,80}$|^.{0,80}(?:阅读|评论|点赞|浏览|热度).{0,80}$/iu;

/** Only texts up to this length can be counters of aggregators. */
const counterTextCharsMax = 2_000;

/**
 * A hash of title and text, both normalised plain text. Ignores Unicode forms of one character and the counters that
 * aggregators append (`Points: 41`), which change without an edit.
 */
export function revisionFingerprint(title: string, text: string): Sha256 {
  const even = normal(text);
  const lines = even.length > counterTextCharsMax ? even : even.split('\n').map(withoutCounts).join('\n');
  return sha256(`${normal(title)}\n${lines}`);
}

function withoutCounts(line: string): string {
  return line.length <= 160 && counterLine.test(line) ? line.replaceAll(/\d[\d,.]*/gu, '0') : line;
}

function normal(text: string): string {
  if (!/[^\n -~]/u.test(text)) return text;
  return text
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019\u02bc]/gu, "'")
    .replaceAll(/[\u201c\u201d]/gu, '"')
    .replaceAll(/[\u2010-\u2015]/gu, '-');
}
