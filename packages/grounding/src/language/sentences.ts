/** Abbreviations after which a full stop does not end the sentence. */
const abbreviations = new Set(
  'mr mrs ms dr prof sen rep gov gen col lt sgt capt st jr sr inc corp ltd co llc no nos vs etc approx dept est fig vol ed al e.g i.e u.s u.k u.n e.u a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec mt ft ave rev hon id'.split(
    ' ',
  ),
);

/**
 * A Chinese mark ends a sentence also before a Latin letter or a digit, but not inside a title: 《谁赢了？》. A row of Latin
 * marks is tried at its beginning only: trying it at each mark takes quadratic time.
 */
const sentenceEnd =
  /(?:(?<![.!?…])[.!?…]+["”’'」』)\]]*(?=\s|$|[\p{Script=Han}“「])|[。！？]+(?: (?=[”」』]))?["”’'」』)\]]*(?![》〉）】，、；：—]))/gu;

/** Splits into sentences without changing a character. Line breaks end sentences too. */
export function splitSentences(text: string): string[] {
  return text
    .split(/\n+/u)
    .flatMap(splitLine)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function splitLine(line: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of line.matchAll(sentenceEnd)) {
    const end = match.index + match[0].length;
    if (!endsSentence(line, match.index, end)) continue;
    sentences.push(line.slice(from, end));
    from = end;
  }
  return [...sentences, line.slice(from)];
}

function endsSentence(line: string, markAt: number, end: number): boolean {
  const mark = line[markAt] ?? '';
  if (/[。！？]/u.test(mark)) return !speechGoesOn(line, end);
  const before =
    /([\p{L}\d.]+)$/u.exec(line.slice(Math.max(0, markAt - 24), markAt))?.[1]?.toLowerCase() ?? '';
  const next = /\S/u.exec(line.slice(end, end + 8))?.[0] ?? '';
  // "BUFFALO, N.Y. — Hours before": a dash continues the sentence.
  if (/[—–-]/u.test(next)) return false;
  if (mark === '!' && /^(?:e|yahoo|jeopardy)$/u.test(before) && next !== '') return false;
  if (mark === '.' && line[markAt + 1] !== '.') {
    if (abbreviations.has(before)) return false;
    // Initials: "George R.R. Martin", "P.O. Box 7".
    if (/^(?:\p{L}\.)+\p{L}$/u.test(before)) return false;
    // An initial: "J. Smith". A lower-case letter after a full stop continues the sentence.
    if (/^\p{L}$/u.test(before) && before !== 'i') return false;
  }
  return next === '' || !/\p{Ll}/u.test(next);
}

/** “……。”他说。 is one sentence: the words after the closing mark name the speaker. */
function speechGoesOn(line: string, end: number): boolean {
  return (
    /[”」』]/u.test(line[end - 1] ?? '') &&
    /^\p{Script=Han}{1,8}(?:说|称|表示|道|问|答|写道|指出)/u.test(line.slice(end))
  );
}
