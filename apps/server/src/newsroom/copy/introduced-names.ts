/** Capitalised words in a row. */
const capitals = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}.’'-]*(?: \p{Lu}[\p{L}.’'-]*)*/gu;
/** Words with a capital that begin a sentence or are no names. */
const noName =
  /^(?:The|A|An|In|On|At|For|From|With|But|And|As|By|After|Before|While|When|Since|If|Of|To|This|That|These|Those|His|Her|Their|Its|Our|Under|Last|Next|During|Although|Though|Despite|Meanwhile|However|Earlier|Later|Now|Then|Still|Also|Both|Some|Many|Most|All|One|Two|Three|According|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Sept|Nov|Dec)ember|October) /u;

/** The names of a sentence: those with a first name or a title before them, and those alone. */
export interface SentenceNames {
  /** "Tova Noel": Noel. */
  readonly full: ReadonlySet<string>;
  readonly alone: ReadonlySet<string>;
}

export function namesOf(sentence: string): SentenceNames {
  const full = new Set<string>();
  const alone = new Set<string>();
  for (const { 0: found, index } of sentence.matchAll(capitals)) {
    const words = found.replace(noName, '').split(' ');
    const name = (words.at(-1) ?? '').replace(/(?:[’']s?|\.)$/u, '');
    if (name.length < 3) continue;
    if (words.length > 1) full.add(name);
    // "The House" is another one than "White House".
    else if (words[0] === found && !/\b(?:the|an?) $/iu.test(sentence.slice(0, index))) alone.add(name);
  }
  return { full, alone };
}

/**
 * For each sentence, the names that it uses alone after an earlier sentence of the text introduced them in full: without
 * one of those sentences, a reader does not know who "Noel" is. The names of the title are known.
 */
export function bareNames(
  title: string,
  sentences: readonly SentenceNames[],
): readonly ReadonlySet<string>[] {
  const introduced = new Set<string>();
  return sentences.map(({ full, alone }) => {
    const bare = new Set([...alone].filter((name) => introduced.has(name) && !title.includes(name)));
    for (const name of full) introduced.add(name);
    return bare;
  });
}
