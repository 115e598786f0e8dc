import { aiConcepts, aiNames, isAiHost } from './ai-terms.ts';
import type { CategoryVote } from './category.ts';
import { namesIn } from './reach.ts';
import type { TextToClassify } from './text-forms.ts';
import { formsOf } from './text-forms.ts';

/** A text as sparse features: positions in the weight table and their values. */
export interface TextFeatures {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

const tableBits = 15;
export const tableSize = 2 ** tableBits;

const leadChars = 280;
/** The weight of the beginning of the text next to the title. */
const leadShare = 0.7;
const addressShare = 0.5;
const formValue = 0.6;

/** Hosts that publish one form of text, whatever their subject. */
const formHosts =
  /^(?:arxiv\.org|openreview\.net|(?:\w+\.)?biorxiv\.org|(?:\w+\.)?medrxiv\.org|papers\.ssrn\.com|aclanthology\.org|github\.com|gitlab\.com|huggingface\.co|producthunt\.com|youtube\.com|news\.ycombinator\.com)$/u;

/**
 * Hashed features of a title, the beginning of its text and the folders of its address. The site itself is no
 * feature: a model would learn the sites of its training set. The rules of categories that
 * matched are features too.
 */
export function featuresOf(
  { title, text, url }: TextToClassify,
  matched: readonly CategoryVote[],
): TextFeatures {
  const sums = new Map<number, number>();
  addPart(sums, titleTerms(title), 1);
  addPart(sums, leadTerms(text.slice(0, leadChars)), leadShare);
  addPart(sums, addressTerms(url), addressShare);
  for (const [term, value] of subjectTerms(title, text.slice(0, leadChars))) addTerm(sums, term, value);
  for (const form of formsOf({ title, text, url })) addTerm(sums, `=${form}`, formValue);
  for (const { category, name } of matched) addTerm(sums, `%${category}:${name}`, formValue);
  return { at: [...sums.keys()], values: [...sums.values()] };
}

/** Each part has the same length, whatever its number of terms. */
function addPart(sums: Map<number, number>, terms: ReadonlySet<string>, share: number): void {
  const value = share / Math.sqrt(Math.max(1, terms.size));
  for (const term of terms) addTerm(sums, term, value);
}

function addTerm(sums: Map<number, number>, term: string, value: number): void {
  const at = hashOf(term);
  sums.set(at, (sums.get(at) ?? 0) + value);
}

/** Distinct terms count, not their number of words: a long title may name its subject once. */
function* subjectTerms(title: string, lead: string): Generator<readonly [string, number]> {
  const [inTitle, inLead] = [title, lead].map(
    (text) => new Set((text.match(aiConcepts) ?? []).map((found) => found.toLowerCase())),
  ) as [Set<string>, Set<string>];
  yield [`@title ${Math.min(3, inTitle.size)}`, 1];
  if (lead !== '') yield [`@lead ${Math.min(4, inLead.size)}`, leadShare];
  for (const term of inTitle) yield [`@${term}`, 0.5];
  for (const { name } of namesIn(title)) yield [`@@${wordOf(name)}`, 0.6];
  if (aiNames.test(title)) yield ['@@title', 0.8];
  if (aiNames.test(lead)) yield ['@@lead', 0.6];
}

const token =
  /\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}]+(?:[\-'’.][[\p{L}\p{N}]--\p{Script=Han}]+)*|[?!$%:？！：\|]/gv;

/** Words, pairs of words, the opening, the end and, for Chinese, pairs and triples of characters. */
function titleTerms(title: string): Set<string> {
  const terms = new Set<string>();
  const found = title.normalize('NFKC').toLowerCase().match(token) ?? [];
  let before = '';
  for (const one of found) {
    if (isHan(one)) addHan(terms, one);
    else addWord(terms, wordOf(one), before);
    before = isHan(one) ? one.slice(-1) : wordOf(one);
  }
  const [first = '', second = ''] = found;
  const opening = isHan(first) ? first.slice(0, 2) : wordOf(first);
  terms.add(`^${opening}`).add(`^${opening} ${wordOf(second).slice(0, 12)}`);
  terms.add(`${(found.at(-1) ?? '').slice(-4)}$`);
  return terms.add(`#${Math.min(6, Math.floor(found.length / 3))}`);
}

function addWord(terms: Set<string>, word: string, before: string): void {
  terms.add(word);
  if (before !== '') terms.add(`${before} ${word}`);
  if (word.length >= 7) terms.add(`${word.slice(0, 5)}*`);
  if (!word.includes('-')) return;
  // "meta-cognitive" has the parts "meta-" and "-cognitive", neither of which is the name Meta.
  for (const [at, part] of word.split('-').entries()) terms.add(at === 0 ? `${part}-` : `-${part}`);
}

/** Characters, pairs and triples. */
function addHan(terms: Set<string>, run: string): void {
  for (let at = 0; at < run.length; at += 1) {
    terms.add(run.slice(at, at + 1));
    if (at + 1 < run.length) terms.add(run.slice(at, at + 2));
    if (at + 2 < run.length) terms.add(run.slice(at, at + 3));
  }
}

/** Of a text: its words and, for Chinese, pairs of characters. */
function leadTerms(lead: string): Set<string> {
  const terms = new Set<string>();
  for (const found of lead.normalize('NFKC').toLowerCase().match(token) ?? []) {
    if (!isHan(found)) terms.add(wordOf(found));
    else for (let at = 0; at + 1 < found.length; at += 1) terms.add(found.slice(at, at + 2));
  }
  return terms;
}

/** Without the possessive; digits are one class, so that "gpt-5.5" and "gpt-6" are versions of one name. */
function wordOf(found: string): string {
  const word = found.endsWith('s') ? found.replace(/['’]s$/u, '') : found;
  if (!/\d/u.test(word)) return word;
  return /^20\d\d$/u.test(word) ? '2000' : word.replaceAll(/\d+/gu, '0');
}

/** Of a token: one of Han characters begins above all letters of other scripts that are frequent here. */
function isHan(found: string): boolean {
  return found.charCodeAt(0) >= 0x2e_80;
}

/** The folders of an address, not its last part, which repeats the title. */
function addressTerms(url: string): Set<string> {
  const address = URL.parse(url);
  if (address === null) return new Set();
  const host = address.hostname.replace(/^www\./u, '');
  const folders = address.pathname.split('/').filter((part) => part !== '');
  const words = folders.slice(0, -1).flatMap((folder) => folder.toLowerCase().split(/[-_.]/u));
  const terms = new Set(words.filter((word) => /^\p{L}{2,14}$/u.test(word)).map((word) => `/${word}`));
  if (isAiHost(host)) terms.add('//ai');
  if (formHosts.test(host)) terms.add(`//${host} ${folders.length}`);
  return terms;
}

/** The place of a term in a table of weights, by FNV-1a. */
export function hashOf(term: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01_00_01_93);
  return (hash ^ (hash >>> tableBits)) & (tableSize - 1);
}
