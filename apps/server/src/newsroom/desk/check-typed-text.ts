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
    checkSentence(sentence, sources).filter((finding) => !isCommonOpening(finding, sentence)),
  );
  return [...new Set(findings.map(({ kind, text }) => `${kind}: ${text}`))];
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
    const words =
      entry === null ? [item.title, item.summary] : [entry.title, withoutInstructions(entry.text)];
    return [readSourceOnce(words.join('\n'), shanghaiDateOf(at), aliases)];
  });
}

/** The check runs at every keystroke: the last articles are read once. Their texts are compared with those stored now. */
const readMax = 20;
const readSources = new WeakMap<Aliases, Map<string, GroundingSource>>();

function readSourceOnce(text: string, day: string, aliases: Aliases): GroundingSource {
  const known = readSources.get(aliases) ?? new Map<string, GroundingSource>();
  readSources.set(aliases, known);
  const key = sha256(`${day} ${text}`);
  const source = known.get(key) ?? readSource(text, { published: Temporal.PlainDate.from(day), aliases });
  known.delete(key);
  known.set(key, source);
  const [oldest] = known.keys();
  if (known.size > readMax && oldest !== undefined) known.delete(oldest);
  return source;
}

/** The public reason of a correction that an editor publishes although the sources do not support its text. */
export function reasonWithoutProof(reason: string, unverified: string, language: ReaderLanguage): string {
  return `${reason} ${statementWithoutProof(unverified, language)}`;
}
