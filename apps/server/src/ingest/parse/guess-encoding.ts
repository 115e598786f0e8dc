/** Bytes of a long document that are examined. */
const sampleBytes = 65_536;
const sampleCharacters = 2_000;

/** The most common Chinese characters, simplified and traditional. Wrongly decoded text rarely contains them. */
const commonHan: ReadonlySet<string> = new Set(
  '的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首單導開發來時這個們國說會學對過後麼沒還當無現將與實話經間機門問電東車書長讓認該領傳記關動員業產應體點種聲進見頭兩從樣',
);

/**
 * Guesses the encoding of bytes that do not match their label. The score of a candidate is the share of its decoded text
 * that is plausible in the languages of that encoding.
 */
export function guessEncoding(bytes: Uint8Array, labelled: string): string {
  const sample = bytes.subarray(0, sampleBytes);
  if (labelled === 'utf-8' && isMostlyUtf8(sample)) return labelled;
  let best = { encoding: 'windows-1252', score: 0.6 };
  for (const [encoding, score] of candidates) {
    const text = new TextDecoder(encoding).decode(sample);
    const beyondAscii = text.match(/[^\s -~]/gu)?.slice(0, sampleCharacters) ?? [];
    const scored = beyondAscii.length === 0 ? 0 : score(beyondAscii);
    if (scored > best.score) best = { encoding, score: scored };
  }
  return best.encoding;
}

/** More valid sequences than invalid bytes. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(sample);
  let broken = 0;
  let sound = 0;
  for (const character of text) {
    if (character === '\ufffd') broken += 1;
    else if (character > '\u007f') sound += 1;
  }
  return sound > broken;
}

type Score = (characters: readonly string[]) => number;

const share =
  (pattern: RegExp): Score =>
  (characters) =>
    characters.filter((character) => pattern.test(character)).length / characters.length;

/** Half of the score for Han characters and their punctuation, half for common characters. */
const chinese: Score = (characters) => {
  const han = characters.filter((character) => /[\u4e00-\u9fff]/u.test(character));
  const common = han.filter((character) => commonHan.has(character)).length;
  if (han.length === 0) return 0;
  return (
    share(/[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef\u2010-\u2026]/u)(characters) * 0.4 +
    (common / han.length) * 1.2
  );
};

const candidates: readonly (readonly [string, Score])[] = [
  ['gb18030', chinese],
  ['big5', chinese],
  ['shift_jis', share(/[\u3041-\u30ff\u3000-\u303f]/u)],
  ['euc-jp', share(/[\u3041-\u30ff\u3000-\u303f]/u)],
  ['euc-kr', share(/[\uac00-\ud7a3]/u)],
  ['windows-1251', share(/[а-яё]/u)],
  ['koi8-r', share(/[а-яё]/u)],
  ['windows-1253', share(/[α-ωά-ώ]/u)],
  ['windows-1255', share(/[א-ת]/u)],
  ['windows-1256', share(/[\u0621-\u064a]/u)],
  ['windows-874', share(/[\u0e01-\u0e5b]/u)],
];
