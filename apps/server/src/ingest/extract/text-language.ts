import { eld } from 'eld/extrasmall';

/** More text does not change the result. */
const readCharsMax = 600;
/** Shorter texts, such as product names, are too ambiguous without a stated language. */
const sureCharsMin = 60;
/** The detected language must score this much higher to override the stated one. */
const overrulesBy = 0.15;

/**
 * The language of a text, as BCP 47: by its script where that decides, else by its letters. `stated` is what the feed
 * or the source states; it applies unless the text clearly contradicts it. Null: the language is unknown.
 */
export function textLanguage(text: string, stated: string | null): string | null {
  const read = text.slice(0, readCharsMax);
  const hint = primaryTag(stated);
  const byScript = scriptLanguage(read, hint);
  if (byScript !== null) return byScript;
  const letters = read.replaceAll(/https?:\S+|[^\p{L}\s]+/gu, ' ').trim();
  const detected = eld.detect(letters);
  if (detected.language === '') return hint;
  const scores = detected.getScores();
  if (hint === null)
    return letters.length >= sureCharsMin || detected.isReliable() ? detected.language : null;
  const lead = (scores[detected.language] ?? 0) - (scores[hint] ?? 0);
  return letters.length >= sureCharsMin && lead > overrulesBy ? detected.language : hint;
}

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const hangul = /\p{Script=Hangul}/gu;
const han = /\p{Script=Han}/gu;
const alphabet = /\p{Script=Latin}+|\p{Script=Cyrillic}+|\p{Script=Greek}+/gu;

/** A character of these scripts says about as much as a word of an alphabet; names of products are in Latin. */
function scriptLanguage(text: string, hint: string | null): string | null {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const [ofKana, ofHangul, ofHan] = [count(kana), count(hangul), count(han)];
  if (ofKana + ofHangul + ofHan <= count(alphabet)) return null;
  if (ofHangul >= ofHan + ofKana) return 'ko';
  if (ofKana * 5 >= ofHan) return 'ja';
  // A Japanese headline may have no kana.
  return ofKana === 0 && hint === 'ja' && text.length < sureCharsMin ? 'ja' : 'zh';
}

function primaryTag(language: string | null): string | null {
  return /^[a-z]{2,3}(?=[-_]|$)/u.exec(language?.trim().toLowerCase() ?? '')?.[0] ?? null;
}
