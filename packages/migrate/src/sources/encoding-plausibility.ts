import type { LegacyEncoding } from './legacy-encoding.ts';

/** Letters a language of this encoding is written in. */
const scripts: Readonly<Record<string, RegExp>> = {
  'windows-1251': /\p{Script=Cyrillic}/gu,
  'koi8-r': /\p{Script=Cyrillic}/gu,
  'iso-8859-5': /\p{Script=Cyrillic}/gu,
  'windows-1253': /\p{Script=Greek}/gu,
  'iso-8859-7': /\p{Script=Greek}/gu,
  'windows-1255': /\p{Script=Hebrew}/gu,
  'windows-1256': /\p{Script=Arabic}/gu,
  'iso-8859-6': /\p{Script=Arabic}/gu,
  'windows-874': /\p{Script=Thai}/gu,
  gb18030: /\p{Script=Han}/gu,
  big5: /\p{Script=Han}/gu,
  shift_jis: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu,
  'euc-jp': /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu,
  'euc-kr': /\p{Script=Hangul}/gu,
};
const punctuation = /[“”‘’„«»‹›–—…·•€£¥§°©®™¿¡№\u00a0\u3000-\u303f\uff00-\uffef]/gu;
const accented = /(?=[^\p{ASCII}])\p{Script=Latin}/gu;
const beyondAscii = /[^\p{ASCII}]/gu;
/** More accented letters in a row than any word has. */
const accentedRun = /(?:(?=[^\p{ASCII}])\p{Script=Latin}){4}/u;
const letterInWord = /(?<=[A-Za-z])[^\p{ASCII}](?=[a-z])|(?<![^\p{ASCII}])[^\p{ASCII}](?=[a-z]{2})/gu;
const mixedCase = /\p{Ll}\p{Lu}/gu;

/** Whether the text is plausible. A wrong encoding leaves symbols inside words, or letters of no language in a row. */
export function isPlausible(text: string, encoding: LegacyEncoding): boolean {
  const all = count(text, beyondAscii);
  if (all === 0) return true;
  const script = scripts[encoding];
  const letters = count(text, script ?? accented);
  if (letters + count(text, punctuation) < all * 0.95 || letters === 0) return false;
  if (script === undefined) return !accentedRun.test(text);
  if (count(text, mixedCase) > letters * 0.05) return false;
  // A single foreign letter inside a Latin word is an accented one, read wrongly.
  return count(text, letterInWord) <= letters * 0.3;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
