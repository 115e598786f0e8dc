const month = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?';
const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\\s+)?';
const clock = '(?:,?\\s+(?:at\\s+)?\\d{1,2}[:.h]\\d{2}(?:[:.]\\d{2})?(?:\\s*[ap]\\.?m\\.?)?)?';
const day = '\\d{1,2}(?:st|nd|rd|th)?';
const forms = [
  '\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?:\\s+(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)?',
  '\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}',
  `${day}\\s+${month},?\\s+\\d{4}`,
  `${month}\\s+${day},?\\s+\\d{4}`,
  '\\d{4}年\\d{1,2}月\\d{1,2}日',
];
const dateLine = new RegExp(
  `^[*_\\[(]{0,3}${weekday}(?:${forms.join('|')})${clock}[*_\\])]{0,3}\\s*[:—–-]?\\s*$`,
  'i',
);
const lineCharsMax = 60;

/** The date that stands alone on the first line of a paragraph: how journal dumps head their entries. */
export function journalDate(paragraph: string): string | null {
  const end = paragraph.search(/[\r\n]/);
  const line = (end === -1 ? paragraph : paragraph.slice(0, end)).trim();
  if (line.length > lineCharsMax || !dateLine.test(line)) return null;
  return line.replace(/^[*_[(]+|[*_\])\s:—–-]+$/g, '');
}
