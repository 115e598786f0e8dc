import { hanBigrams, stemOf, tokenize } from '@daybook/grounding/text';
import type { TextToken } from '@daybook/grounding/text';

import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { Figure } from '../../../language/headline-figures.ts';
import { isDistinctive, isYear, figuresOf, figureKey } from '../../../language/headline-figures.ts';
import { addressKey, addressWords } from './address-words.ts';
import type { AliasHit, AliasTable } from './aliases.ts';
import { isRoundup } from './roundups.ts';
import { isStopWord } from './stop-words.ts';

/** The input of grouping. */
export interface StoryEntry {
  readonly title: string;
  /** The original title if the title is a translation. */
  readonly originalTitle: string | null;
  /** May be empty. */
  readonly summary: string;
  /** Of the original. */
  readonly url: string | null;
  /** Milliseconds since 1970; null if unknown. */
  readonly at: number | null;
  /** Whether its text was judged to be a list, an offer or a lesson. */
  readonly listing?: boolean;
}

/**
 * w: a word of Latin letters, inside Chinese as well; h: two Chinese characters; e: a name from the alias table;
 * k: a common word of news from the alias table; n: a figure; p: two words side by side.
 */
export type TermKind = 'w' | 'h' | 'e' | 'k' | 'n' | 'p';
/** The kind, a colon and the text. */
export type Term = `${TermKind}:${string}`;

/** The terms of one text: a title with its original, or a title and its summary. */
export interface TextTerms {
  readonly terms: ReadonlySet<Term>;
  /** From the alias table, words with inner capitals, capitalised words of a sentence, Latin words inside Chinese. */
  readonly names: ReadonlySet<Term>;
  readonly companies: ReadonlySet<string>;
  readonly quantities: readonly Figure[];
  /** A name to the versions that follow it: `gpt` to `5.5`. */
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface EntryTerms {
  /** Both if the entry has a title in each. */
  readonly languages: ReadonlySet<ReaderLanguage>;
  readonly title: TextTerms;
  /** Title and summary together; null without a summary. */
  readonly text: TextTerms | null;
  /** Terms of title and address, each with the higher weight of the two fields: 1, or less. */
  readonly headline: ReadonlyMap<Term, number>;
  readonly addressKey: string | null;
  readonly at: number | null;
  readonly roundup: boolean;
}

const addressWeight = 0.7;
const textWeight = 0.5;
const summaryCharsMax = 600;
const titleCharsMax = 400;
const nameKinds: ReadonlySet<AliasHit['kind']> = new Set(['company', 'person', 'product']);

export function kindOfTerm(term: Term): TermKind {
  return term[0] as TermKind;
}

/** Pure: the same entry and table give the same terms. */
export function entryTerms(entry: StoryEntry, aliases: AliasTable): EntryTerms {
  const titles = [entry.title, ...(entry.originalTitle === null ? [] : [entry.originalTitle])].map((title) =>
    title.slice(0, titleCharsMax),
  );
  const summary = entry.summary.slice(0, summaryCharsMax).trim();
  const title = textTerms(titles, aliases);
  const headline = new Map<Term, number>();
  for (const term of addressTerms(entry.url, aliases)) headline.set(term, addressWeight);
  for (const term of title.terms) headline.set(term, 1);
  return {
    languages: new Set(titles.map((one) => languageOf(tokenize(one)))),
    title,
    text: summary === '' ? null : textTerms([...titles, summary], aliases),
    headline,
    addressKey: addressKey(entry.url),
    at: entry.at,
    roundup: entry.listing === true || titles.some(isRoundup),
  };
}

/** All terms of an entry, as counted for rarity. */
export function indexTerms({ headline, text }: EntryTerms): ReadonlyMap<Term, number> {
  const terms = new Map(headline);
  for (const term of text?.terms ?? []) if (!terms.has(term)) terms.set(term, textWeight);
  return terms;
}

/** The index terms of an entry: those of its headline, and the names and figures of its text. */
export function postedTerms({ headline, text }: EntryTerms): ReadonlyMap<Term, number> {
  const terms = new Map<Term, number>();
  for (const [term, weight] of headline) if (kindOfTerm(term) !== 'k') terms.set(term, weight);
  for (const term of text?.terms ?? []) {
    const kind = kindOfTerm(term);
    const posted = kind === 'e' || kind === 'n' || text?.names.has(term) === true;
    if (posted && !terms.has(term)) terms.set(term, textWeight);
  }
  return terms;
}

function textTerms(texts: readonly string[], aliases: AliasTable): TextTerms {
  const tokens = texts.map(tokenize);
  const quantities = figuresOf(texts.join('\n')).filter(isDistinctive);
  const hits = tokens.flatMap((ones) => aliasHits(ones, aliases));
  return {
    terms: new Set([...tokens.flatMap(wordTerms), ...hits.map(aliasTerm), ...quantityTerms(quantities)]),
    names: new Set([
      ...tokens.flatMap(nameWords),
      ...hits.filter(({ kind }) => nameKinds.has(kind)).map(aliasTerm),
    ]),
    companies: new Set(hits.filter(({ kind }) => kind === 'company').map(({ key }) => key)),
    quantities,
    versions: versionsOf(tokens.flat()),
  };
}

/** Chinese if the sentence consists of Chinese characters; a Latin product name does not make it English. */
function languageOf(tokens: readonly TextToken[]): ReaderLanguage {
  let [han, words] = [0, 0];
  for (const { kind, text } of tokens) {
    if (kind === 'han') han += text.length;
    else if (kind === 'word') words += 1;
  }
  return han >= 2 || han > words ? 'zh' : 'en';
}

function wordTerms(tokens: readonly TextToken[]): readonly Term[] {
  const terms: Term[] = [];
  let before: string | null = null;
  for (const token of tokens) {
    if (token.kind === 'han') {
      for (const bigram of hanBigrams(token.text)) terms.push(`h:${bigram}`);
      before = null;
      continue;
    }
    const said = token.kind === 'number' ? token.text.length > 1 : !isStopWord(token.text);
    if (said) terms.push(`w:${token.text}`);
    if (said && before !== null && token.adjacent) terms.push(`p:${before} ${token.text}`);
    before = said || token.kind === 'number' ? token.text : null;
  }
  return terms;
}

function aliasTerm({ kind, key }: AliasHit): Term {
  return kind === 'concept' ? `k:${key}` : `e:${key}`;
}

function aliasHits(tokens: readonly TextToken[], aliases: AliasTable): readonly AliasHit[] {
  const words = tokens.filter(({ kind }) => kind !== 'han').map(({ text }) => text);
  const runs = tokens.filter(({ kind }) => kind === 'han');
  return [...aliases.inWords(words), ...runs.flatMap(({ text }) => aliases.inHan(text))];
}

function quantityTerms(quantities: readonly Figure[]): readonly Term[] {
  return quantities.map((quantity): Term => `n:${figureKey(quantity)}`);
}

function addressTerms(url: string | null, aliases: AliasTable): readonly Term[] {
  const words = addressWords(url);
  return [...words.map((word): Term => `w:${word}`), ...aliases.inWords(words).map(aliasTerm)];
}

/** Above this share of capitalised words, capitals are the style of the title and not a signal. */
const titleCaseShare = 0.6;

function nameWords(tokens: readonly TextToken[]): readonly Term[] {
  const words = tokens.filter(({ kind, text }) => kind === 'word' && !isStopWord(text));
  const chinese = languageOf(tokens) === 'zh';
  const capitals = words.slice(1).filter(({ capital }) => capital).length;
  const sentence = capitals <= titleCaseShare * (words.length - 1);
  return words
    .filter(({ marked, capital }, at) => marked || chinese || (sentence && capital && at > 0))
    .map(({ text }): Term => `w:${text}`);
}

/** Words that distinguish the members of one model line. */
const variants = new Set(
  'pro max plus mini lite air ultra flash edge turbo nano large small preview instant thinking base core one x'
    .split(' ')
    .map(stemOf),
);

const wholeVersionsBelow = 100;

function versionsOf(tokens: readonly TextToken[]): ReadonlyMap<string, ReadonlySet<string>> {
  const versions = new Map<string, Set<string>>();
  for (const [at, { kind, text, adjacent }] of tokens.entries()) {
    const before = tokens[at - 1];
    if (kind !== 'number' || !adjacent || before === undefined || isYear(Number(text))) continue;
    const name = before.text === 'v' && before.kind === 'word' ? tokens[at - 2] : before;
    if (name === undefined || name.kind !== 'word' || isStopWord(name.text)) continue;
    if (!isVersion(text, name)) continue;
    const after = tokens[at + 1];
    const variant = after?.adjacent === true && variants.has(after.text) ? ` ${after.text}` : '';
    const known = versions.get(name.text);
    if (known === undefined) versions.set(name.text, new Set([text + variant]));
    else known.add(text + variant);
  }
  return versions;
}

/** `Gnomon 5`, `gnomon 5.5` and `RTX 5090` are versions; `dismisses 850` and `Dismisses 850` are counts. */
function isVersion(number: string, { marked, capital }: TextToken): boolean {
  return number.includes('.') || marked || (capital && Number(number) < wholeVersionsBelow);
}

/** `5.5` may be any of its variants; `5.5 pro` and `5.5 mini` are different. */
export function sharesVersion(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((here) =>
    [...other].some(
      (there) => here === there || here.startsWith(`${there} `) || there.startsWith(`${here} `),
    ),
  );
}
