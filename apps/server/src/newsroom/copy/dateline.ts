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
/** 据 names the original source and is not removed. */
const inChinese =
  /^(?!据)[\p{Script=Han}\p{Script=Latin}\d·]{0,14}\s?(?:\d{4}\s?年\s?)?\d{1,2}\s?月\s?\d{1,2}\s?日(?:消息|电|讯|报道|获悉)(?:[，,：:]\s*|\s+)|^(?!据)[\p{Script=Han}\p{Script=Latin}\d·]{2,8}获悉[，,：:]\s*/u;

export function withoutDateline(text: string): string {
  const found =
    inChinese.exec(text) ?? byAgency.exec(text) ?? inCapitals.exec(text) ?? beforeColon.exec(text);
  if (found === null) return text;
  const rest = text.slice(found[0].length);
  const capitals = found.groups?.['city'];
  // A name in capitals that the text repeats is its subject: "NASA — The agency …".
  return capitals !== undefined && rest.includes(capitals.trim()) ? text : rest;
}
