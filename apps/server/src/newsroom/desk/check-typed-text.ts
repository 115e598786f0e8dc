import type { GroundingSource } from '@daybook/grounding';
import { checkSentence, readSource, splitSentences } from '@daybook/grounding';
import { stemOf } from '@daybook/grounding/text';

import { shanghaiDateOf } from '../../foundation/calendar/shanghai-time.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { withoutInstructions } from '../copy/instructions-in-text.ts';
import { statementWithoutProof } from '../editions/apply-words.ts';
import { isCommonTerm } from '../stories/matching/common-words.ts';
import type { SourceText } from './source-text-store.ts';

/** Names of one entity, in any language. */
export type Aliases = readonly (readonly string[])[];

/** A correction whose text the sources do not support; the findings are for the editor. */
export interface UnsupportedText {
  readonly ok: false;
  readonly reason: 'unsupported_text';
  readonly findings: readonly string[];
}

/** What an editor typed: a title or headline, and a summary or overview. */
export interface TypedText {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
}

/** The faults of the typed text; empty if the words of the sources support all of it. */
export function typedTextFindings(
  { title, body }: TypedText,
  sources: readonly GroundingSource[],
): readonly string[] {
  const sentences = [...(title === undefined ? [] : [title]), ...splitSentences(body ?? '')];
  if (sentences.length === 0) return [];
  if (sources.length === 0) return ['the text of the source is not stored'];
  const findings = sentences.flatMap((sentence) =>
    checkSentenceOnce(sentence, sources).filter((finding) => !isCommonOpening(finding, sentence)),
  );
  return [...new Set(findings.map(({ kind, text }) => `${kind}: ${text}`))];
}

/** A keystroke changes one sentence: the findings of the others are stored as long as the sources stay the same. */
const checkedMax = 200;
const checkedSentences = new WeakMap<GroundingSource, CheckedSentences>();

interface CheckedSentences {
  readonly sources: readonly GroundingSource[];
  readonly findings: Map<string, Findings>;
}

type Findings = ReturnType<typeof checkSentence>;

function checkSentenceOnce(sentence: string, sources: readonly GroundingSource[]): Findings {
  const { findings } = checkedAgainst(sources);
  const known = findings.get(sentence);
  if (known !== undefined) return known;
  const found = checkSentence(sentence, sources);
  if (findings.size >= checkedMax) findings.clear();
  findings.set(sentence, found);
  return found;
}

function checkedAgainst(sources: readonly GroundingSource[]): CheckedSentences {
  const [first] = sources;
  const known = first && checkedSentences.get(first);
  const isSame =
    known?.sources.length === sources.length && known.sources.every((source, at) => source === sources[at]);
  if (isSame) return known;
  const checked: CheckedSentences = { sources, findings: new Map() };
  if (first !== undefined) checkedSentences.set(first, checked);
  return checked;
}

/** "Little happened.": the capital of a first word does not prove a name. */
function isCommonOpening(
  { kind, text }: { readonly kind: string; readonly text: string },
  sentence: string,
): boolean {
  const isOpening = kind === 'name' && sentence.startsWith(text) && /^\p{Script=Latin}+$/u.test(text);
  return isOpening && isCommonTerm(`w:${stemOf(text)}`);
}

/** The publisher's words; without them an item's own words, if `orItem`. */
export function groundingSources(
  texts: readonly SourceText[],
  { aliases, orItem }: { readonly aliases: Aliases; readonly orItem: boolean },
): readonly GroundingSource[] {
  return texts.flatMap(({ entry, item, at }) => {
    if (entry === null && !orItem) return [];
    const text: ArticleText =
      entry === null
        ? { title: item.title, body: item.summary, isOurs: true }
        : { title: entry.title, body: entry.text, isOurs: false };
    return [readSourceOnce(text, shanghaiDateOf(at), aliases)];
  });
}

interface ArticleText {
  readonly title: string;
  readonly body: string;
  /** Of the newsroom, without instructions to machines. */
  readonly isOurs: boolean;
}

/** The check runs at every keystroke: the last articles are read once. Their texts are compared with those stored now. */
const readMax = 60;
const readSources = new WeakMap<Aliases, Map<string, GroundingSource>>();

function readSourceOnce(text: ArticleText, day: string, aliases: Aliases): GroundingSource {
  const known = readSources.get(aliases) ?? new Map<string, GroundingSource>();
  readSources.set(aliases, known);
  const key = sha256(JSON.stringify([day, text.isOurs, text.title, text.body]));
  const source = known.get(key) ?? readArticle(text, day, aliases);
  known.delete(key);
  known.set(key, source);
  const [oldest] = known.keys();
  if (known.size > readMax && oldest !== undefined) known.delete(oldest);
  return source;
}

function readArticle({ title, body, isOurs }: ArticleText, day: string, aliases: Aliases): GroundingSource {
  const words = `${title}\n${isOurs ? body : withoutInstructions(body)}`;
  return readSource(words, { published: Temporal.PlainDate.from(day), aliases });
}

/** The public reason of a correction that an editor publishes although the sources do not support its text. */
export function reasonWithoutProof(reason: string, unverified: string, language: ReaderLanguage): string {
  return `${reason} ${statementWithoutProof(unverified, language)}`;
}
