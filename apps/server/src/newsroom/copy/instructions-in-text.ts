import { splitSentences } from '../../grounding/index.ts';
import { unfoldDisguise } from './disguised-text.ts';
import { certain, instructionScore, isReport } from './machine-speech.ts';

/** A longer sentence is checked in parts that overlap, up to a bound, and at its end. */
const partChars = 500;
const partStep = 400;
const sentenceCharsMax = 4_000;

/**
 * Removes sentences that are addressed to a machine instead of a reader, before a model or the summarizer reads a text and
 * before any text is checked against it: no source supports text that follows them. The sentences around them stay.
 */
export function withoutInstructions(text: string): string {
  return separated(text).rest;
}

/**
 * What an editor should know of the sentences that are removed from title and text: those that are clearly instructions,
 * and a title that is nothing else. One in ten real articles contains a sentence that is removed in doubt; one in a
 * hundred has a clear one.
 */
export function removedInstructions({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): readonly string[] {
  const headline = titleWithoutInstructions(title);
  const ofTitle = headline === title ? [] : [title.slice(headline.length).trim()];
  const isClear = (removed: string): boolean => speaksToMachine(removed, clearThreshold);
  return [
    ...(headline === '' ? ofTitle : ofTitle.filter(isClear)),
    ...separated(text).removed.filter(isClear),
  ];
}

interface Separated {
  readonly text: string;
  readonly rest: string;
  readonly removed: readonly string[];
}

/** The last one: summary, judgement and review read the same text one after the other. */
let last: Separated = { text: '', rest: '', removed: [] };

function separated(text: string): Separated {
  if (last.text !== text) last = separate(text);
  return last;
}

function separate(text: string): Separated {
  const removed: string[] = [];
  const rest = text
    .split('\n')
    .map((line) => {
      const sentences = splitSentences(line);
      const others = withoutOrders(sentences);
      if (others.length === sentences.length) return line;
      removed.push(...sentences.filter((sentence) => !others.includes(sentence)));
      return others.join(/\p{Script=Han}/u.test(line) ? '' : ' ');
    })
    .filter((line, at, lines) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .trimEnd();
  return { text, rest, removed };
}

/** An order often continues in the sentence after it, which has fewer signs of its own. */
function withoutOrders(sentences: readonly string[]): string[] {
  let follows = false;
  return sentences.filter((sentence) => {
    follows = speaksToMachine(sentence, follows ? continuedThreshold : threshold);
    return !follows;
  });
}

const titleParts =
  /(?<rest>.*?)(?<part>\s*(?:[([{<【（「《]|\/\/|[|｜;；:：]|——|—|–| - |[.。!?！？]\s*)\s*(?<order>.+))$/su;

/** The headline of a title without an instruction that follows it; empty if the whole title is one. */
export function titleWithoutInstructions(title: string): string {
  for (let from = 0; ;) {
    const found = titleParts.exec(title.slice(from));
    if (found?.groups === undefined) return speaksToMachine(title) ? '' : title;
    const { rest = '', order = '' } = found.groups;
    const head = title.slice(0, from + rest.length).trimEnd();
    if (head !== '' && !speaksToMachine(head) && speaksToMachine(order)) return head;
    from += rest.length + 1;
  }
}

/** Chosen so that three of a thousand sentences of real articles are removed. */
const threshold = -1.5;
const continuedThreshold = -3;
/** Chosen so that one of a hundred real articles is reviewed, and four of five recognised instructions are. */
const clearThreshold = 0;

export function speaksToMachine(sentence: string, above = threshold): boolean {
  if (sentence.length > 2 * partChars) return partsOf(sentence).some((part) => speaksToMachine(part, above));
  return unfoldDisguise(sentence).some((reading) => {
    const spoken = withoutReportedQuotations(reading);
    return certain.some((form) => form.test(spoken)) || instructionScore(reading) > above;
  });
}

function partsOf(sentence: string): string[] {
  const bound = Math.min(sentence.length, sentenceCharsMax);
  const starts = Array.from({ length: Math.ceil(bound / partStep) }, (_, at) => at * partStep);
  return [...starts.map((from) => sentence.slice(from, from + partChars)), sentence.slice(-partChars)];
}

/** What a named speaker says, or a study quotes, is news. */
function withoutReportedQuotations(text: string): string {
  const rest = text.replaceAll(/“[^”]*”|"[^"]*"|「[^」]*」|`[^`]*`/gu, '“”');
  return isReport(rest) ? rest : text;
}
