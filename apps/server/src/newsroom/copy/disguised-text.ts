import { toSimplified } from '@daybook/grounding/text';

/** Digits and signs that replace letters in text that is written to pass filters. */
const digitLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};
const cyrillic = 'аеіорсухктмнвАЕІОРСУХКТМНВ';
const latin = 'aeiopcyxktmhbAEIOPCYXKTMHB';
const latinOf = new Map(cyrillic.split('').map((letter, at) => [letter, latin[at] ?? letter]));
const invisible =
  /\u{34f}|[\u{ad}\u{61c}\u{115f}\u{180e}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/gu;
/** The text as a reader sees it, and its readings if letters are spaced, joined by marks, or replaced by others. */
export function unfoldDisguise(text: string): readonly string[] {
  const visible = text.normalize('NFKC').replaceAll(invisible, '');
  const plain = toSimplified(visible).replaceAll(/\s+/gu, ' ').trim();
  const readings = [plain];
  if (/(?:(?<![\p{L}\d])[\p{L}\d] ){4,}/u.test(plain)) readings.push(joinLetters(toSimplified(visible)));
  if (/\p{L}[.·_-]\p{L}+[.·_-]\p{L}/u.test(plain))
    readings.push(plain.replaceAll(/(?<=\p{L})[.·_-](?=\p{L})/gu, ''));
  if (/[\p{Script=Latin}][013457@$]|[013457@$][\p{Script=Latin}]/u.test(plain))
    readings.push(
      plain.replaceAll(/[\p{Script=Latin}\d@$]+/gu, (word) =>
        /\p{L}/u.test(word) ? word.replaceAll(/[013457@$]/gu, (sign) => digitLetters[sign] ?? sign) : word,
      ),
    );
  if (/\p{Script=Cyrillic}/u.test(plain) && /\p{Script=Latin}/u.test(plain))
    readings.push(plain.replaceAll(/\p{Script=Cyrillic}/gu, (letter) => latinOf.get(letter) ?? letter));
  return readings;
}

/** "I g n o r e   t h e" to "Ignore the". Two or more spaces separate words; in Chinese none are left. */
function joinLetters(text: string): string {
  return text
    .replaceAll(/(?<=[\p{Script=Han}，。：、“”]) (?=[\p{Script=Han}，。：、“”])/gu, '')
    .replaceAll(/(?<=(?<![\p{L}\d])[\p{L}\d]) (?=[\p{L}\d](?![\p{L}\d]))/gu, '')
    .replaceAll(/\s+/gu, ' ');
}
