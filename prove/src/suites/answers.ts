import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { answerQuestion, shippedAnswerTools } from '../../../apps/server/src/agents/answers/extract/index.ts';
import type { AnswerSet } from '../../../apps/server/src/agents/evaluation/index.ts';
import {
  evaluateAnswers,
  readAnswerSet,
  storedAsFiles,
} from '../../../apps/server/src/agents/evaluation/index.ts';
import { heldOutEvaluation } from '../../../bench/src/answers/answers-figures.ts';

type Evaluation = ReturnType<typeof evaluateAnswers>;

export const suite: Suite = {
  name: 'answers',
  measuresNoTime: true,
  summary:
    'Answers by quoting contain the asked fact, and questions that the sources do not answer are refused.',
  headline: 'found',
  promise:
    'Questions about real articles and files (who, what, when, how much, why, lists, comparisons, contradictions, follow-ups; English and Chinese) are answered with sentences of these texts. Each question is answered by a model that was trained on questions about other documents; with --quick by the shipped model, which has seen them. Every quoted sentence is in the document that it cites. The shipped model answers the same questions with the documents as files: found by words, read in parts.',
  dataSets: ['answers', 'html/article-bodies', 'stories'],
  run: async (context) => {
    const read = (file: string): string => readFileSync(file, 'utf8');
    const corpus = context.data('answers/corpus-dev.jsonl');
    const set = readAnswerSet(read(context.data('answers/questions-dev.jsonl')), read(corpus), (file) =>
      read(join(dirname(corpus), file)),
    );
    const tools = shippedAnswerTools();
    const quick = (): Evaluation =>
      evaluateAnswers(set, (asked, documents) => answerQuestion(asked, documents, tools));
    report(context, context.quick ? quick() : heldOutEvaluation(set, tools.rarity));
    reportFiles(context, set);
    const texts = set.documents.map(({ title, text }) => `${title}\n${text}`).join('\n');
    const { outcomes } = quick();
    context.figure({
      name: 'quoted sentences that are in no document',
      value: outcomes.flatMap(({ sentences }) => sentences).filter((one) => !texts.includes(one)).length,
      unit: 'sentences',
      goal: { exactly: 0 },
    });
  },
};

function report(context: SuiteContext, { rates }: Evaluation): void {
  const guarded = {
    found: { atLeast: 65 },
    retrieved: { atLeast: 90 },
    'refused, of unanswerable': { atLeast: 85 },
    wrong: { atMost: 3 },
  } as const;
  const isGuarded = (name: string): name is keyof typeof guarded => name in guarded;
  for (const { name, share, of } of rates) {
    const goal = isGuarded(name) ? { goal: guarded[name] } : {};
    context.figure({ name: `${name} (${of})`, value: Number((100 * share).toFixed(1)), unit: '%', ...goal });
  }
}

const overallRates = 6;

function reportFiles(context: SuiteContext, set: AnswerSet): void {
  const [find, tools] = [storedAsFiles(set.documents), shippedAnswerTools()];
  const { rates } = evaluateAnswers(set, (asked) => answerQuestion(asked, find(asked), tools));
  for (const { name, share, of } of rates.slice(0, overallRates)) {
    const goal = name === 'retrieved' ? { goal: { atLeast: 90 } as const } : {};
    const value = Number((100 * share).toFixed(1));
    context.figure({ name: `as files: ${name} (${of})`, value, unit: '%', ...goal });
  }
}
