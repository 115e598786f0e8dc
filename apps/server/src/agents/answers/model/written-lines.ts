import { splitSentences } from '@daybook/grounding/text';

/** A sentence as a model wrote it, with the numbers of the passages that it cites. */
export interface WrittenSentence {
  readonly text: string;
  readonly cites: readonly number[];
}

/** A model that finds no answer writes this alone. */
export const noAnswer = 'NONE';

const citations = /\s*[[【]\s*(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)\s*[\]】]\s*([.。]?)/gu;
const lineCharsMax = 4_000;

/** Collects the text of a model and calls `onSentence` with each sentence as soon as its line is complete. */
export function createLineReader(onSentence: (sentence: WrittenSentence) => void): {
  readonly add: (piece: string) => void;
  readonly end: () => void;
} {
  let open = '';
  const flush = (line: string): void => {
    for (const sentence of sentencesOfLine(line)) onSentence(sentence);
  };
  return {
    add: (piece) => {
      const lines = (open + piece).split('\n');
      open = lines.pop() ?? '';
      // A line that never ends is no sentence.
      if (open.length > lineCharsMax) open = '';
      for (const line of lines) flush(line);
    },
    end: () => {
      flush(open);
      open = '';
    },
  };
}

/** A line of several sentences cites for each of them what stands behind it, or else what the whole line cites. */
export function sentencesOfLine(line: string): readonly WrittenSentence[] {
  const plain = line.trim().replace(/^(?:[-*•]|\d{1,2}[.)])\s+/u, '');
  if (plain === '' || plain === noAnswer) return [];
  const all = [...plain.matchAll(citations)].flatMap(([, numbers = '']) => numbersOf(numbers));
  // The citation goes before the full stop, so that the sentence is split behind both.
  const marked = plain.replaceAll(
    citations,
    (_, numbers: string, stop: string) => `\u{e000}${numbers}\u{e001}${stop}`,
  );
  return attachMarks(splitSentences(marked)).flatMap((sentence): WrittenSentence[] => {
    const own = [...sentence.matchAll(marks)].flatMap(([, numbers = '']) => numbersOf(numbers));
    const text = sentence.replaceAll(marks, '').replaceAll(/\s+/gu, ' ').trim();
    if (text === '') return [];
    return [{ text, cites: [...new Set(own.length > 0 ? own : all)] }];
  });
}

const marks = /\u{e000}([^\u{e001}]*)\u{e001}/gu;

/** A citation behind the full stop belongs to the sentence before it. */
function attachMarks(sentences: readonly string[]): string[] {
  const attached: string[] = [];
  for (const sentence of sentences) {
    const [leading = ''] = /^(?:\u{e000}[^\u{e001}]*\u{e001}[.。]?\s*)+/u.exec(sentence) ?? [];
    const last = attached.length - 1;
    if (leading !== '' && last >= 0) attached[last] += leading.trimEnd();
    const rest = last >= 0 ? sentence.slice(leading.length) : sentence;
    if (rest !== '') attached.push(rest);
  }
  return attached;
}

const numbersOf = (text: string): number[] => text.split(/[,，、]/u).map((one) => Number(one.trim()));
