/**
 * "WASHINGTON (AP) — ", "IT之家 5 月 3 日消息，": a dateline before the first sentence disturbs a summary. It is
 * removed before sentences are chosen; sentences stay whole.
 */

const city = String.raw`(?<city>\p{Lu}[\p{Lu}.'’ -]{2,28})(?:, ?[\p{L}.\d ]{2,24}){0,3}`;
const agency = String.raw`(?:\([^()\n]{2,30}\)|/PRNewswire/)`;
const dash = String.raw`(?:\s*(?:—|–|--)\s*|\s-\s)`;
const inCapitals = new RegExp(
  String.raw`^${city}\s?(?:${agency})?${dash}(?:${agency}${dash})?(?=[\p{Lu}“"])`,
  'u',
);
const byAgency =
  /^(?:\p{Lu}[\p{L}.]+,? ){1,4}\((?:AP|AFP|Reuters|Bloomberg|CNN(?: Business)?|UPI|dpa|Xinhua|Kyodo)\)(?:\s*(?:—|–|--|-))?\s*(?=[\p{Lu}“"])/u;
/** "NEW DELHI: ", "BREAKING NEWS: ". A single word in capitals may be the subject of the sentence. */
const beforeColon =
  /^(?<city>\p{Lu}{2,}(?: \p{Lu}{2,}){1,3}): (?!(?:Their|His|Her|Its|They|He|She|It)\b)(?=[\p{Lu}“"])/u;
/** "(Reuters) — ", "Feb. 23, 2015 -- ", "Nov 3 (Reuters) - ". */
const date = String.raw`(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.? \d{1,2}(?:, \d{4})?`;
const withoutPlace = new RegExp(
  String.raw`^(?:(?:${date}\s?)?\((?:Reuters|AP|AFP|Bloomberg|CNN[^()\n]{0,12}|UPI|dpa|Xinhua|Kyodo|IANS|PTI|ANI)\)\s?(?:—|–|--|-)?\s*|${date}${dash})(?=[\p{Lu}“"])`,
  'u',
);
/** "New York, NY – ", "Boston, Mass. — ". */
const withState =
  /^\p{Lu}[\p{L}.]+(?: \p{Lu}[\p{L}.]+){0,2}, (?:\p{Lu}{2}|\p{Lu}\p{Ll}{2,4}\.|\p{Lu}\.\p{Lu}\.)\s?(?:—|–|--|-)\s?(?=[\p{Lu}“"])/u;
/** "Washington, DC, United States: ": the last part is a state or a country. */
const placeBeforeColon =
  /^(?:\p{Lu}[\p{L}.]+(?: \p{Lu}[\p{L}.]+){0,2}, ){1,2}(?:\p{Lu}\.?\p{Lu}\.?|United (?:States|Kingdom)|India|China|Canada|Australia|Germany|France|Japan|Israel|Turkey|South Korea): (?=[\p{Lu}“"])/u;
/** "新京报讯（记者 王某）", "长江网10月4日讯（记者陈智 整合） ". */
const byReporter =
  /^(?!据)[^，。！？（(\n]{0,24}[（(](?:本报|本台|实习|见习|首席|特约)?(?:记者|通讯员|编辑|作者)[^（()）\n]{1,40}[）)](?:[^，。\n]{0,16}(?:电|讯|消息|报道))?[，,：:]?\s*/u;
/** "摘要：" and "Summary:" before the sentence that they label. */
const label = /^(?:摘要|导读|导语|核心提示|内容提要|划重点|Summary|Abstract|In brief|TL;DR)[：:]\s*/u;
/** 据 names the original source and is not removed. */
const inChinese =
  /^(?!据)[\p{Script=Han}\p{Script=Latin}\d·]{0,14}\s?(?:北京时间\s?)?(?:\d{4}\s?年\s?)?\d{1,2}\s?月\s?\d{1,2}\s?日\s?(?:凌晨|早间|上午|中午|午间|下午|晚间|晚|深夜)?(?:最新)?(?:消息|电|讯|快讯|报道|获悉)(?:[，,：:]\s*|\s+)|^(?!据)[\p{Script=Han}\p{Script=Latin}\d·]{2,8}获悉[，,：:]\s*/u;

/** Of every line: a standfirst can precede the line with the dateline. */
export function withoutDateline(text: string): string {
  return text.split('\n').map(lineWithoutDateline).join('\n');
}

function lineWithoutDateline(line: string): string {
  const found =
    label.exec(line) ??
    byReporter.exec(line) ??
    inChinese.exec(line) ??
    withoutPlace.exec(line) ??
    byAgency.exec(line) ??
    inCapitals.exec(line) ??
    withState.exec(line) ??
    placeBeforeColon.exec(line) ??
    beforeColon.exec(line);
  if (found === null) return line;
  const rest = line.slice(found[0].length);
  const capitals = found.groups?.['city'];
  // A name in capitals that the text repeats is its subject: "NASA — The agency …".
  return capitals !== undefined && rest.includes(capitals.trim()) ? line : rest;
}
