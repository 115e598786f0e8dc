import { entitiesOf, findHanNames } from '@daybook/grounding';
import { hanCharacter, hanRuns, toSimplified } from '@daybook/grounding/text';

import { findHanGlossaryWords, hanConceptsOf, isNameConcept } from './glossary.ts';
import { isComparing } from './question-parts.ts';

/** Splits a question that compares: one part for each side. A question that does not compare is one part. */
export function comparedParts(text: string): string[] {
  if (!isComparing(text) && !asksNumber.test(toSimplified(text))) return [text];
  const sides = /^(.*?)\b(?:compare[ds]?|differ)\s+(?:with|to|from)\s+(.*)$/isu.exec(text);
  if (sides !== null) return [sides[1] ?? '', sides[2] ?? ''].map((side) => side.trim());
  return coordinatedNames(text) ?? [text];
}

const asksNumber = /\bhow (?:much|many|old|long|far|high)\b|多少|几多|几[点个]/iu;

const conjunction = /^(?:\s*,?\s*(?:or|and|versus|vs\.?|nor)\s+(?:the\s+)?|\s*[和与與及跟同或、]\s*)$/iu;

/** "A or B": the question about A, and the question about B. */
function coordinatedNames(text: string): string[] | null {
  const names = nameSpans(text);
  for (const [at, name] of names.entries()) {
    const next = names[at + 1];
    if (next === undefined || !conjunction.test(text.slice(name.end, next.start))) continue;
    if (/\bbetween (?:the )?$/iu.test(text.slice(0, name.start))) continue;
    return [
      text.slice(0, name.end) + text.slice(next.end),
      text.slice(0, name.start) + text.slice(next.start),
    ];
  }
  return null;
}

interface NameSpan {
  readonly start: number;
  readonly end: number;
}

/** Numbers and lower-case endings after a name belong to it: the Boeing 787s. */
const nameTail = /^(?:\s(?:\p{Lu}*\d[\p{L}\d-]*))+/u;

function nameSpans(text: string): NameSpan[] {
  const spans = entitiesOf(text).map(({ start, end }) => {
    const tail = nameTail.exec(text.slice(end))?.[0].length ?? 0;
    return { start, end: end + tail };
  });
  if (!hanCharacter.test(text)) return spans;
  const simple = toSimplified(text);
  const words = hanRuns(simple).flatMap((run) => {
    const from = simple.indexOf(run);
    return findHanGlossaryWords(run)
      .filter((word) => hanConceptsOf(word.text).some(isNameConcept))
      .map(({ text: word, start }) => ({ start: from + start, end: from + start + word.length }));
  });
  const others = findHanNames(simple).map((name) => {
    const start = simple.indexOf(name);
    return { start, end: start + name.length };
  });
  const all = [...spans, ...words, ...others].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  );
  const joined: NameSpan[] = [];
  for (const span of all) {
    const last = joined.at(-1);
    if (last === undefined || span.start > last.end) joined.push(span);
    else if (span.end > last.end) joined[joined.length - 1] = { start: last.start, end: span.end };
  }
  return joined;
}
