import type { ClassifierInput } from './classification.ts';
import type { Lexicon, LexiconHit } from './lexicon.ts';
import { lexiconHits, readLexicon } from './lexicon.ts';
import { shapeFeatures } from './note-shape.ts';
import type { NoteToken } from './note-tokens.ts';
import { bounded, boundedHeadings, hanPairs, tokens } from './note-tokens.ts';

/**
 * A feature's kind is the first part of its name:
 * `word`, `pair` and `topic` of the text, `title-word`, `title-topic`, `title-says` and `title-is` of the headings, `shape`.
 */
export interface Feature {
  readonly name: string;
  readonly value: number;
  /** The note's own words behind it. */
  readonly evidence: readonly string[];
}

export interface Lexicons {
  readonly topics: Lexicon;
  readonly titles: Lexicon;
}

/** The names a model has weights for. */
export interface Vocabulary {
  readonly has: (name: string) => boolean;
}

let loaded: Lexicons | null = null;

export function lexicons(): Lexicons {
  loaded ??= { topics: readLexicon('topics'), titles: readLexicon('titles') };
  return loaded;
}

/** How far each kind can move the answer: topics carry over to unseen writers, single words much less. */
const strength = {
  word: 1.2,
  pair: 0.6,
  topic: 1.8,
  titleWord: 0.8,
  titleTopic: 1.6,
  titleSays: 1.6,
  shape: 0.6,
};
const outerHeadingShare = 0.6;
const evidenceMax = 3;
/** From the names of the file and its folder, which act as outer headings. */
const pathShares = [outerHeadingShare, 0.4] as const;

interface Draft {
  value: number;
  readonly evidence: string[];
}
type Drafts = Map<string, Draft>;

/** With a vocabulary, the pairs of words outside it are left out: most are, and they are many. */
export function extractFeatures(
  input: ClassifierInput,
  { topics, titles }: Lexicons,
  vocabulary: Vocabulary | null = null,
): readonly Feature[] {
  const text = bounded(input.text).replaceAll('\u0000', ' ');
  const found = tokens(text);
  const drafts: Drafts = new Map();
  add(drafts, wordDrafts('word', found), strength.word);
  add(drafts, pairDrafts(found, vocabulary), strength.pair);
  const hits = lexiconHits(topics, found);
  add(drafts, topicDrafts('topic', hits), strength.topic * subjectWeight(hits.length));
  for (const { name, value } of shapeFeatures(text))
    note(drafts, `shape ${name}`, value * strength.shape, '');
  const headings = boundedHeadings(input.headings);
  headings.forEach((heading, index) => {
    const share = index === headings.length - 1 ? 1 : outerHeadingShare;
    addTitle(drafts, heading, share, { topics, titles });
  });
  for (const { title, share } of pathTitles(input.path ?? null))
    addTitle(drafts, title, share, { topics, titles });
  return Array.from(drafts, ([name, { value, evidence }]) => ({ name, value, evidence }));
}

/** What the name of the file and the folders around it say, as titles: the nearer, the more. */
function pathTitles(path: string | null): readonly { readonly title: string; readonly share: number }[] {
  if (path === null) return [];
  return path
    .split('/')
    .reverse()
    .slice(0, pathShares.length)
    .map((part, at) => ({
      title: spaced(at === 0 ? part.replace(/\.[^.]+$/, '') : part),
      share: pathShares[at] ?? 0,
    }));
}

function spaced(name: string): string {
  return name.replace(/[-_.]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}

function addTitle(drafts: Drafts, heading: string, share: number, { topics, titles }: Lexicons): void {
  const found = tokens(heading);
  add(drafts, wordDrafts('title-word', found), strength.titleWord * share);
  add(drafts, topicDrafts('title-topic', lexiconHits(topics, found)), strength.titleTopic * share);
  add(drafts, topicDrafts('title-says', lexiconHits(titles, found)), strength.titleSays * share);
  const whole = titles.phrases.get(found.map((token) => token.key || token.raw).join(' ')) ?? [];
  for (const target of whole) note(drafts, `title-is ${target}`, strength.titleSays * share, heading.trim());
}

/** Two words of a topic are a hint, many are a subject. */
function subjectWeight(hits: number): number {
  return Math.min(1, 0.45 + 0.14 * hits);
}

function wordDrafts(kind: string, found: readonly NoteToken[]): Drafts {
  const drafts: Drafts = new Map();
  for (const { key, raw, telling } of found) {
    if (key === '') {
      for (const pair of hanPairs(raw)) note(drafts, `${kind} ${pair}`, 1, pair, 1);
    } else if (telling) {
      note(drafts, `${kind} ${key}`, 1, raw, 1);
    }
  }
  return drafts;
}

/** Pairs keep the small words: "want to" and "i believe" are what they are for. */
function pairDrafts(found: readonly NoteToken[], vocabulary: Vocabulary | null): Drafts {
  const drafts: Drafts = new Map();
  const value = 1 / Math.sqrt(Math.max(found.length - 1, 1));
  for (let index = 1; index < found.length; index += 1) {
    const [first, second] = [found[index - 1], found[index]];
    if (first === undefined || second === undefined || first.key === '' || second.key === '') continue;
    const name = `pair ${first.key}_${second.key}`;
    if (vocabulary !== null && !vocabulary.has(name)) continue;
    note(drafts, name, value, `${first.raw} ${second.raw}`, value);
  }
  return drafts;
}

function topicDrafts(kind: string, hits: readonly LexiconHit[]): Drafts {
  const drafts: Drafts = new Map();
  for (const { section, raw } of hits) note(drafts, `${kind} ${section}`, 1, raw);
  for (const draft of drafts.values()) draft.value = Math.sqrt(draft.value);
  return drafts;
}

/** Scaled to one length, so that a long note does not shout. */
function add(drafts: Drafts, block: Drafts, scale: number): void {
  let squares = 0;
  for (const { value } of block.values()) squares += value * value;
  const factor = scale / Math.sqrt(Math.max(squares, 1));
  for (const [name, { value, evidence }] of block) {
    const known = drafts.get(name);
    if (known === undefined) drafts.set(name, { value: value * factor, evidence });
    else known.value += value * factor;
  }
}

function note(
  drafts: Drafts,
  name: string,
  value: number,
  raw: string,
  most = Number.POSITIVE_INFINITY,
): void {
  const known = drafts.get(name);
  if (known === undefined) {
    drafts.set(name, { value, evidence: raw === '' ? [] : [raw] });
    return;
  }
  known.value = Math.min(most, known.value + value);
  if (known.evidence.length < evidenceMax && !known.evidence.includes(raw)) known.evidence.push(raw);
}
