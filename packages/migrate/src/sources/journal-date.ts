/** Names of months, by their first letters, in the languages whose dates are read. */
const months = [
  'jan|ene|janv|gen',
  'feb|fév|fev',
  'mar|mär|mars',
  'apr|abr|avr',
  'may|mai|mag',
  'jun|juin|giu',
  'jul|juil|lug',
  'aug|ago|août|aout',
  'sep|set',
  'oct|okt|ott|out',
  'nov',
  'dec|dic|dez|déc',
].join('|');
const month = `(?:${months})\\p{L}*\\.?`;
const weekday =
  '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:lun|mart|mi[eé]rcol|jue?v|viern|vendre|sábado|same|doming|diman)\\p{L}*|(?:mon|diens|mitt|donners|frei|sams|sonn)\\p{L}*)';
const chineseWeekday = '[（(]?(?:星期|周|週|礼拜|禮拜)[一二三四五六日天][）)]?';
const clock = '(?:,?\\s+(?:at\\s+)?\\d{1,2}[:.h]\\d{2}(?:[:.]\\d{2})?(?:\\s*[ap]\\.?m\\.?)?)?';
const monthNumber = '(?:0?[1-9]|1[0-2])';
const dayNumber = '(?:0?[1-9]|[12]\\d|3[01])';
const day = `${dayNumber}(?:st|nd|rd|th|\\.|er|º)?`;
const year = '(?:19|20)\\d{2}';
const of = '(?:\\s+(?:of|de|del))?';

/** A year, a month and a day: these may also be followed by text. */
const fullForms = [
  `${year}[-/.]${monthNumber}[-/.]${dayNumber}`,
  `${year}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])`,
  `${day}${of}\\s+${month},?${of}\\s+${year}`,
  `${month}\\s+${day},?\\s+${year}`,
  `${year}\\s*年\\s*${monthNumber}\\s*月\\s*${dayNumber}\\s*[日号號]`,
];
/** Without a year, or with an ambiguous order: a date only on a line of its own. */
const shortForms = [
  `${dayNumber}[-/.]${dayNumber}[-/.](?:${year}|\\d{2})`,
  `${monthNumber}\\s*月\\s*${dayNumber}\\s*[日号號]`,
];
const open = `^[*_\\[(]{0,3}(?:${weekday},?\\s+)?`;
const close = `(?:,?\\s*(?:${chineseWeekday}|${weekday}))?${clock}[*_\\])]{0,3}`;
const aloneLine = new RegExp(
  `${open}(?:${[...fullForms, ...shortForms].join('|')})${close}\\s*[:：—–-]?\\s*$`,
  'iu',
);
const weekdayLine = new RegExp(
  `^[*_\\[(]{0,3}${weekday},?\\s+(?:${day}\\s+${month}|${month}\\s+${day})${close}\\s*$`,
  'iu',
);
const leadingDate = new RegExp(
  `${open}(?:${fullForms.join('|')})${close}(?=\\s*：|\\s*:\\s|\\s+[—–-]\\s)`,
  'iu',
);
const lineCharsMax = 60;

/** True for a line that is a date and nothing else. */
export function isDateLine(line: string): boolean {
  return line.length <= lineCharsMax && (aloneLine.test(line) || weekdayLine.test(line));
}

/** The date that heads an entry of a journal: alone on the first line of a paragraph, or before a colon or a dash. */
export function journalDate(paragraph: string): string | null {
  const end = paragraph.search(/[\r\n]/);
  const line = (end === -1 ? paragraph : paragraph.slice(0, end)).trim();
  const found = isDateLine(line) ? line : leadingDate.exec(line.slice(0, 2 * lineCharsMax))?.[0];
  return found === undefined ? null : found.replace(/^[*_[(]+|[*_\])\s:：—–-]+$/g, '');
}

/** The year in a date, a name or a heading; two digits are of this century. */
export function yearOf(written: string): string | null {
  const whole =
    /(?<!\d)(?:19|20)\d{2}(?!\d)|(?<!\d)(?:19|20)\d{2}(?=(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d))/.exec(
      written,
    );
  if (whole !== null) return whole[0];
  const short = /^\D*\d{1,2}[-/.]\d{1,2}[-/.](\d{2})(?!\d)/.exec(written);
  return short === null ? null : `20${short[1] ?? ''}`;
}
