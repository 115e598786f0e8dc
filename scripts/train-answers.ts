import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { dataPath, describeMissingData } from '@daybook/evidence';
import { splitSentences } from '@daybook/grounding';
import { hanCharacter } from '@daybook/grounding/text';

import type { TermFrequencies } from '../apps/server/src/agents/answers/extract/term-rarity.ts';
import { rarityOf } from '../apps/server/src/agents/answers/extract/term-rarity.ts';
import { termsOf } from '../apps/server/src/agents/answers/extract/text-terms.ts';
import { readAnswerSet } from '../apps/server/src/agents/evaluation/index.ts';
import { rateLine } from '../apps/server/src/foundation/evaluation/rate.ts';
import { heldOutEvaluation } from '../bench/src/answers/answers-figures.ts';
import { trainAnswers, trainingCases } from '../bench/src/answers/answers-training.ts';

// Counts in how many sentences of news each term occurs, and trains the weights that rank the sentences of an answer and
// that decide when a question is refused. Prints the figures of documents that were left out of the training.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = (file: string): URL =>
  new URL(`../apps/server/src/agents/answers/extract/${file}`, import.meta.url);
const dataSets = ['answers', 'html/article-bodies', 'stories', 'replay', 'grounding'];
const missing = describeMissingData(root, dataSets);
if (missing !== null) {
  console.error(`npm run answers:train needs ${missing}; see CONTRIBUTING.md`);
  process.exit(1);
}

const questionsFile = dataPath(root, 'answers/questions-dev.jsonl');
const corpusFile = dataPath(root, 'answers/corpus-dev.jsonl');
const read = (file: string): string => readFileSync(file, 'utf8');
const rowsOf = (file: string): Record<string, string | undefined>[] =>
  read(dataPath(root, file))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string | undefined>);

/** Terms in fewer sentences are as rare as unknown ones. */
const sentencesMin = 6;

/** The sentences of other texts than those of the questions. */
function otherSentences(): string[] {
  const used = new Set(
    read(corpusFile)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { key?: string }).key),
  );
  const bodies = JSON.parse(read(dataPath(root, 'html/article-bodies/ground-truth.json'))) as Record<
    string,
    { readonly articleBody: string }
  >;
  const titles = ['aggregator-en', 'roundups-en', 'lookalikes-en', 'hotlist-zh', 'ai-news-en-zh']
    .map((file) => `stories/${file}.jsonl`)
    .concat('replay/ai-news-34-days.jsonl', 'replay/hotlists-zh-7-days.jsonl');
  return [
    ...Object.entries(bodies).flatMap(([key, { articleBody }]) =>
      used.has(key) ? [] : splitSentences(articleBody),
    ),
    ...rowsOf('stories/assign-or-new-en-zh.jsonl').flatMap(({ id, title = '', lead = '' }) =>
      used.has(id) ? [] : [title, ...splitSentences(lead)],
    ),
    ...titles.flatMap((file) => rowsOf(file).map(({ title = '' }) => title)),
    ...rowsOf('grounding/articles-dev.jsonl').flatMap(({ text = '' }) => splitSentences(text)),
  ];
}

function countTerms(texts: readonly string[]): TermFrequencies {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const key of termsOf(text).keys)
      if (!key.startsWith('^')) counts.set(key, (counts.get(key) ?? 0) + 1);
  const han = texts.filter((text) => hanCharacter.test(text)).length;
  const terms = [...counts].filter(([, count]) => count >= sentencesMin);
  return {
    sentences: { latin: texts.length - han, han },
    terms: Object.fromEntries(terms.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

const frequencies = countTerms(otherSentences());
writeFileSync(target('term-frequencies.json'), `${JSON.stringify(frequencies, null, 2)}\n`);
const rarity = rarityOf(frequencies);
const set = readAnswerSet(read(questionsFile), read(corpusFile), (file) =>
  read(join(dirname(corpusFile), file)),
);
const { rates } = heldOutEvaluation(set, rarity);
for (const rate of rates) console.log(rateLine(rate));
const { version, ...weights } = trainAnswers(trainingCases(set, rarity), null);
const figures = Object.fromEntries(
  ['retrieved', 'found', 'refused, of unanswerable', 'wrong'].map((name) => [
    name,
    Number((rates.find((rate) => rate.name === name)?.share ?? 0).toFixed(3)),
  ]),
);
writeFileSync(
  target('answer-weights.json'),
  `${JSON.stringify({ version, figures, ...weights }, null, 2)}\n`,
);
console.log(`wrote version ${version}: ${set.questions.length} questions`);
