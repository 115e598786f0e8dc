import { checkSentence, contentWords, factsOf, sharedWords } from '@daybook/grounding';

import { dayMicroseconds } from '../../../foundation/instant.ts';
import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { namesOf } from '../introduced-names.ts';
import { continuesText, isBoilerplate, isSpeech, leansOnSentenceBefore } from '../sentence-shape.ts';
import { haveSameLanguage } from '../writer.ts';
import { stateContradiction } from './contradiction-statement.ts';
import type { Contradiction } from './contradictions.ts';
import { findContradictions, statesValue } from './contradictions.ts';
import type { ReadItem, ReadSentence, StoryItem } from './story-item.ts';
import { byReceipt, readItem } from './story-item.ts';

export interface DigestSentence {
  readonly text: string;
  /** Ids of the items that support it, in the order of receipt; never empty. */
  readonly cites: readonly string[];
  /** What these items say. */
  readonly quotes?: readonly SentenceQuote[];
}

export interface SentenceQuote {
  readonly itemId: string;
  readonly sourceName: string;
  /** Sentences of the item's text. */
  readonly spans: readonly string[];
}

/** The digest of a story. */
export interface Digest {
  readonly sentences: readonly DigestSentence[];
  readonly contradictions: readonly {
    readonly statement: string;
    readonly earlier: readonly string[];
    readonly later: readonly string[];
  }[];
}

export interface DigestRequest {
  /** The previous digest; its sentences stay as long as items support them. */
  readonly previous: Digest | null;
  /** Every item that is not withdrawn. */
  readonly items: readonly StoryItem[];
  /** Of the story, if it is in this language; otherwise that of the item that opens the digest. */
  readonly title?: string;
  readonly language: ReaderLanguage;
  readonly aliases?: readonly (readonly string[])[];
}

const sentencesMax = 8;
const charsMax = { en: 1400, zh: 600 } as const;
const sentenceCharsMax = { en: 320, zh: 140 } as const;
const perItemMax = 2;
/** A sentence must add at least this many facts that the digest does not contain. */
const newFactsMin = 2;

/** A story gets a digest when independent sources report it. */
export function deservesDigest(items: readonly Pick<StoryItem, 'voice'>[]): boolean {
  return new Set(items.map(({ voice }) => voice)).size >= 2;
}

/**
 * By rule, from the last digest and all items: sentences of the items in that language, each with every item
 * that supports it, and a sentence for each contradiction in place of the figures it replaces. The same items give
 * the same digest; null if no item can be quoted in that language.
 */
export function composeDigest(request: DigestRequest): Digest | null {
  const { language } = request;
  const read = request.items.map((item) => readItem(item, request.aliases)).sort(byReceipt);
  const contradictions = findContradictions(read);
  const quotable = read.filter(({ item }) => haveSameLanguage(item.language, language));
  const statements = stateContradictions(contradictions, read, language);
  const opening = openingFirst(quotable);
  const title = request.title ?? opening[0]?.item.title ?? '';
  const draft = new Draft(read, contradictions, { language, title });
  for (const sentence of request.previous?.sentences ?? []) draft.keep(sentence);
  for (const item of opening) draft.addFrom(item);
  for (const { statement, earlier, later } of statements)
    draft.addStatement(statement, [...earlier, ...later]);
  const sentences = draft.finish();
  return sentences.length === 0 ? null : { sentences, contradictions: statements };
}

export function stateContradictions(
  contradictions: readonly Contradiction[],
  read: readonly ReadItem[],
  language: ReaderLanguage,
): Digest['contradictions'] {
  const items = new Map(read.map(({ item }) => [item.id, item]));
  return contradictions.flatMap((one) => {
    const cited = read.filter(({ item: { id } }) => one.earlier.includes(id) || one.later.includes(id));
    const sources = cited.map(({ source }) => source);
    const statement = stateContradiction(
      one,
      items,
      language,
      (text) => checkSentence(text, sources).length === 0,
    );
    return statement === '' ? [] : [{ statement, earlier: one.earlier, later: one.later }];
  });
}

/** Items received later than this after the first one report how the event continued. */
const openingMicroseconds = dayMicroseconds;
/** Titles of corrections and of lists of changes: they assume that the event is known. */
const laterTurn =
  /^(?:correction|update|updated|clarification)\b|\b(?:changelog|release notes|patch notes|what[’']s new)\b|^v?\d+(?:\.\d+)+\b|更正|勘误|更新日志|更新说明|版本说明/iu;

/**
 * The item closest to the event opens the digest: of the first day, no correction or list of changes, best the
 * company's own. The others follow in the order of receipt.
 */
function openingFirst(items: readonly ReadItem[]): ReadItem[] {
  const since = items.reduce<bigint | null>(
    (first, { item }) => (first === null || item.receivedAt < first ? item.receivedAt : first),
    null,
  );
  const rank = ({ item }: ReadItem): number =>
    (laterTurn.test(item.title) ? 200 : 0) +
    (item.receivedAt - (since ?? 0n) > openingMicroseconds ? 100 : 0) +
    (item.firstParty ? 0 : 10) +
    item.tier;
  const [first] = [...items].sort((one, other) => rank(one) - rank(other) || byReceipt(one, other));
  return first === undefined ? [] : [first, ...items.filter((one) => one !== first)];
}

/** The first sentence states the event: the lead of an item and the words of the title count more than facts. */
const openingWorth = 8;
const leadWorth = 4;
/** Of an opening, further facts do not count, and later sentences are not read: the lead comes first. */
const openingFactsMax = 3;
const openingSentences = 6;
/** Two sentences that share so many of their words say the same; so do sentences that share most of their facts. */
const sameWordsShare = 0.5;
const sameFactsShare = 0.6;
const knownWordsShare = 0.6;
/** A sentence after an item's lead must share so many words with the titles of the items and the opening. */
const subjectWordsMin = 2;
/** A line of a list of changes. */
const changeLine =
  /^(?:[-*•·]|v?\d+(?:\.\d+)+\b|(?:fix(?:ed|es)?|added|adds|changed|removed|improved|updated|deprecated|bug ?fix(?:es)?)\b|(?:修复|新增|优化|调整|移除)(?:了)?)/iu;

class Draft {
  readonly #items: readonly ReadItem[];
  readonly #contradictions: readonly Contradiction[];
  readonly #language: ReaderLanguage;
  readonly #title: string;
  readonly #sentences: DigestSentence[] = [];
  readonly #statements: DigestSentence[] = [];
  readonly #facts = new Set<string>();
  readonly #covered: ReadonlySet<string>[] = [];
  /** Names that the title or a sentence has introduced. */
  readonly #names = new Set<string>();
  readonly #subject: Set<string>;

  constructor(
    items: readonly ReadItem[],
    contradictions: readonly Contradiction[],
    { language, title }: { readonly language: ReaderLanguage; readonly title: string },
  ) {
    this.#items = items;
    this.#contradictions = contradictions;
    this.#language = language;
    this.#title = title;
    this.#subject = new Set(
      [title, ...items.map(({ item }) => item.title)].flatMap((one) => [...contentWords(one)]),
    );
  }

  /** Adds a sentence of the last digest with the items that support it now. Statements are worded again. */
  keep({ text }: DigestSentence): void {
    const origin = this.#items.find(({ sentences }) => sentences.some((one) => one.text === text));
    if (origin !== undefined && (!this.#isContradicted(text) || this.#sentences.length === 0))
      this.#add(text);
  }

  /** Adds the sentences of an item with new facts, at most two, those with the most new facts first. */
  addFrom({ sentences }: ReadItem): void {
    for (let added = 0; added < perItemMax && this.#sentences.length < sentencesMax; added += 1) {
      let best: { readonly text: string; readonly worth: number } | null = null;
      for (const [at, sentence] of sentences.entries()) {
        // The title is the first sentence, and is already shown above the digest.
        const worth = at === 0 ? 0 : this.#worthOf(sentence, at);
        if (worth > (best?.worth ?? 0)) best = { text: sentence.text, worth };
      }
      if (best === null || !this.#add(best.text)) return;
    }
  }

  addStatement(text: string, cites: readonly string[]): void {
    this.#statements.push({ text, cites: [...new Set(cites)] });
  }

  /** Within the limit; contradictions are never omitted. */
  finish(): DigestSentence[] {
    let room = charsMax[this.#language] - this.#statements.reduce((sum, { text }) => sum + text.length, 0);
    const remaining = this.#sentences
      .slice(0, Math.max(1, sentencesMax - this.#statements.length))
      .filter(({ text }) => {
        room -= text.length;
        return room >= 0;
      });
    const [opening, ...rest] = remaining;
    const disputed = opening !== undefined && this.#isContradicted(opening.text);
    return disputed ? [opening, ...this.#statements, ...rest] : [...remaining, ...this.#statements];
  }

  #add(text: string): boolean {
    const cites = this.#items.filter((item) => bearsOut(item, text)).map(({ item }) => item.id);
    if (cites.length === 0 || this.#sentences.some((one) => one.text === text)) return false;
    if (this.#sentences.length === 0) for (const word of contentWords(text)) this.#subject.add(word);
    this.#sentences.push({ text, cites });
    this.#covered.push(contentWords(text));
    for (const name of namesOf(text).full) this.#names.add(name);
    for (const key of factKeys(text)) this.#facts.add(key);
    return true;
  }

  /** New facts, with a bonus for early sentences; 0 for repeated, contradicted or unquotable sentences. */
  #worthOf({ text, words, needs }: ReadSentence, at: number): number {
    const opens = this.#sentences.length === 0;
    if (!isQuotable(text, this.#language) || (opens && at > openingSentences)) return 0;
    if (opens && (needs.size > 0 || continuesText(text) || changeLine.test(text))) return 0;
    if (!opens && !this.#continues(words, needs, at)) return 0;
    // The subject of the story is included even if its figure is disputed: the contradiction directly follows it.
    if ((this.#isContradicted(text) && !(opens && at === 1)) || this.#isCovered(text)) return 0;
    const facts = factKeys(text);
    const news = facts.filter((key) => !this.#facts.has(key)).length;
    const figures = facts.filter((key) => key.startsWith('quantity '));
    if (figures.length > 0 && figures.every((key) => this.#facts.has(key))) return 0;
    // The opening sentence of an item states its subject: one new fact is enough there.
    if (news < (at === 1 ? 1 : newFactsMin) || 1 - news / facts.length > sameFactsShare) return 0;
    if (!opens) return news + 3 / (1 + at);
    const lead = openingWorth * this.#shareOfTitle(text) + (at === 1 ? leadWorth : 0);
    return Math.min(openingFactsMax, news) + 3 / (1 + at) + lead;
  }

  /** Whether it is about the subject, and names only persons and things that the digest has introduced. */
  #continues(words: ReadonlySet<string>, needs: ReadonlySet<string>, at: number): boolean {
    if (!needs.isSubsetOf(this.#names)) return false;
    return words.intersection(this.#subject).size >= (at === 1 ? 1 : subjectWordsMin);
  }

  /** The share of the words of the story's title that the sentence contains. */
  #shareOfTitle(text: string): number {
    const title = contentWords(this.#title);
    return title.size === 0 ? 0 : title.intersection(contentWords(text)).size / title.size;
  }

  /** Whether the digest already says it in other words, in one of its sentences or in all of them together. */
  #isCovered(text: string): boolean {
    const words = contentWords(text);
    if (this.#covered.some((covered) => sharedWords(covered, words).share >= sameWordsShare)) return true;
    const known = [...words].filter((word) => this.#covered.some((covered) => covered.has(word))).length;
    return known >= words.size * knownWordsShare;
  }

  /** Whether it gives a figure that a later item contradicts; the statement names both sources. */
  #isContradicted(text: string): boolean {
    return this.#contradictions.some(({ said }) => statesValue(text, said));
  }
}

/** A whole sentence that is complete in itself. A quotation without a figure adds little. */
function isQuotable(text: string, language: ReaderLanguage): boolean {
  if (text.length > sentenceCharsMax[language] || isBoilerplate(text) || leansOnSentenceBefore(text))
    return false;
  if (isSpeech(text)) return false;
  const kinds = new Set(factsOf(text).map(({ kind }) => kind));
  return !kinds.has('quotation') || kinds.has('quantity');
}

/** Whether the item contains every fact of the sentence and one of its sentences says much the same. */
function bearsOut({ source, sentences }: ReadItem, text: string): boolean {
  const words = contentWords(text);
  if (!sentences.some((one) => one.text === text || sharedWords(one.words, words).share >= 0.4)) return false;
  return checkSentence(text, [source]).length === 0;
}

function factKeys(text: string): string[] {
  return factsOf(text)
    .filter(({ kind }) => kind !== 'quotation')
    .map(({ kind, key }) => `${kind} ${key}`);
}
