import { splitSentences } from '@daybook/grounding';

import { unfoldDisguise } from './disguised-text.ts';
import { instructionScore, thresholds } from './instruction-model.ts';
import { hasCertainForm } from './machine-speech.ts';
import { titleSplits } from './title-splits.ts';

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

/** The sentences that are removed from title and text, for an editor: one in sixty real articles has one. */
export function removedInstructions({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): readonly string[] {
  const headline = titleWithoutInstructions(title);
  return [...(headline === title ? [] : [title.slice(headline.length).trim()]), ...separated(text).removed];
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
    follows = speaksToMachine(sentence, follows ? thresholds.doubtful : thresholds.remove);
    return !follows;
  });
}

/** The headline of a title without an instruction that follows it; empty if the whole title is one. */
export function titleWithoutInstructions(title: string): string {
  const isOrder = (text: string): boolean => speaksToMachine(text, thresholds.title);
  const found = titleSplits(title).find(({ head, order }) => isOrder(order) && !isOrder(head));
  if (found !== undefined) return found.head;
  return isOrder(title) ? '' : title;
}

/**
 * Whether a sentence may be an instruction: too likely for a summary, not likely enough to remove it from the text. Less
 * is enough for a sentence off the subject of its text: an instruction is rarely about the event.
 */
export function isDoubtful(
  sentence: string,
  { isOffSubject }: { readonly isOffSubject: () => boolean },
): boolean {
  if (speaksToMachine(sentence, thresholds.doubtful)) return true;
  return speaksToMachine(sentence, thresholds.offSubject) && isOffSubject();
}

export function speaksToMachine(sentence: string, above = thresholds.remove): boolean {
  if (sentence.length > 2 * partChars) return partsOf(sentence).some((part) => speaksToMachine(part, above));
  return machineScore(sentence) > above;
}

/** Writers and the judgement read the same sentences one after the other. */
const recentScores = new Map<string, number>();
const recentScoresMax = 2_000;

/** The highest score of the readings of a sentence; infinite for a form that decides alone. */
function machineScore(sentence: string): number {
  const known = recentScores.get(sentence);
  if (known !== undefined) return known;
  const scores = unfoldDisguise(sentence).map((reading) => {
    if (hasCertainForm(reading)) return Number.POSITIVE_INFINITY;
    return isScorable(reading) ? instructionScore(reading) : Number.NEGATIVE_INFINITY;
  });
  const score = Math.max(...scores);
  if (recentScores.size >= recentScoresMax) recentScores.clear();
  recentScores.set(sentence, score);
  return score;
}

/** Two words, or a few characters, say too little: 标题 is a title, and no order. */
function isScorable(reading: string): boolean {
  return /(?:\p{Script=Han}[^\p{Script=Han}]*){4}|(?:\p{Script=Latin}[^\p{Script=Latin}]*){8}/u.test(reading);
}

function partsOf(sentence: string): string[] {
  const bound = Math.min(sentence.length, sentenceCharsMax);
  const starts = Array.from({ length: Math.ceil(bound / partStep) }, (_, at) => at * partStep);
  return [...starts.map((from) => sentence.slice(from, from + partChars)), sentence.slice(-partChars)];
}
