import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SuiteContext } from '@daybook/evidence';

import type { ReadText } from '../../../apps/server/src/newsroom/stories/matching/text-sketch.ts';
import { isCopy, readText } from '../../../apps/server/src/newsroom/stories/matching/text-sketch.ts';

export const copiedTextSets = [
  'html/article-bodies',
  'grounding/articles-dev.jsonl',
  'stories/assign-or-new-en-zh.jsonl',
];

/** The changes of six further publishers of one text. */
const edits: readonly ((text: string) => string)[] = [
  (text) => `NEW YORK, Nov. 19 (Northern Wire) - ${text}`,
  (text) => `By Maria Osterholt, Technology Correspondent\nUpdated 11:03 PM. ${text}`,
  (text) => text.slice(0, Math.ceil(text.length * 0.6)),
  (text) =>
    `This article first appeared in our partner publication and is reprinted here with permission.\n${text}`,
  (text) => `${text}\nReporting by the Northern Wire; editing by A. Lind. All rights reserved.`,
  // Every thirtieth word, or every hundredth character of Chinese, is replaced.
  (text) => {
    let [words, characters] = [0, 0];
    return text.replaceAll(/\p{Script=Han}|[\p{L}\p{N}]+/gu, (part) => {
      if (/\p{Script=Han}/u.test(part)) return (characters += 1) % 100 === 0 ? '某' : part;
      return (words += 1) % 30 === 0 ? 'edited' : part;
    });
  },
];

/** Real texts: derived copies of each, and reports that different sources wrote about one event. */
export function copiedTexts(context: SuiteContext, folder: string): void {
  const bodies = articleBodies(folder);
  const counted = bodies.flatMap(({ text, read }) => {
    const copies = edits.map((edit) => readText(edit(text)));
    return [copies.filter((copy) => copy === null || !isFound(read, copy)).length];
  });
  context.figure({
    name: 'copies: syndicated copies of a real article that count as independent, of 7, in the worst case',
    value: Math.max(...counted),
    unit: 'copies',
    goal: { atMost: 0 },
  });
  context.figure({
    name: `copies: articles of ${counted.length} with such a copy`,
    value: counted.filter((missed) => missed > 0).length,
    unit: 'articles',
    goal: { atMost: 0 },
  });
  const { total, taken } = takenForCopies(bodies);
  context.figure({
    name: `copies: pairs of different articles taken for copies, of ${total}`,
    value: taken,
    unit: 'pairs',
    goal: { atMost: 0 },
  });
  const reports = takenForCopies(reportsOfEvents(folder), (one, other) => one.event === other.event);
  context.figure({
    name: `copies: independent reports of one event taken for copies, of ${reports.total}`,
    value: reports.taken,
    unit: 'pairs',
    goal: { atMost: 0 },
  });
}

interface Text {
  readonly text: string;
  readonly read: ReadText;
  readonly source: string;
  readonly event?: number;
}

/** By a shared key and by the overlap, as publication does. */
function isFound(one: ReadText, other: ReadText): boolean {
  return !new Set(one.keys).isDisjointFrom(new Set(other.keys)) && isCopy(one.sketch, other.sketch);
}

function takenForCopies(
  texts: readonly Text[],
  isCompared: (one: Text, other: Text) => boolean = () => true,
): { readonly total: number; readonly taken: number } {
  const pairs = texts.flatMap((one, at) =>
    texts.slice(at + 1).flatMap((other) => (one.source !== other.source ? [[one, other] as const] : [])),
  );
  const compared = pairs.filter(([one, other]) => isCompared(one, other));
  return {
    total: compared.length,
    taken: compared.filter(([one, other]) => isCopy(one.read.sketch, other.read.sketch)).length,
  };
}

function articleBodies(folder: string): readonly Text[] {
  const truth = JSON.parse(
    readFileSync(join(folder, 'html/article-bodies/ground-truth.json'), 'utf8'),
  ) as Record<string, { readonly articleBody: string; readonly url: string }>;
  const english = Object.values(truth).map(({ articleBody, url }) => ({
    text: articleBody,
    source: new URL(url).host,
  }));
  // Those in English are of the same pages.
  const chinese = lines<{ readonly id: string; readonly text: string; readonly language: string }>(
    join(folder, 'grounding/articles-dev.jsonl'),
  ).filter(({ language }) => language === 'zh');
  return withReadText([...english, ...chinese.map(({ id, text }) => ({ text, source: id }))]);
}

function reportsOfEvents(folder: string): readonly Text[] {
  const rows = lines<{ readonly lead: string | null; readonly source: string; readonly event: number }>(
    join(folder, 'stories/assign-or-new-en-zh.jsonl'),
  );
  return withReadText(rows.map(({ lead, source, event }) => ({ text: lead ?? '', source, event })));
}

function withReadText<Given extends Omit<Text, 'read'>>(texts: readonly Given[]): (Given & Text)[] {
  return texts.flatMap((one) => {
    const read = readText(one.text);
    return read === null ? [] : [{ ...one, read }];
  });
}

function lines<Row>(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}
