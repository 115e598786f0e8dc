import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { answerQuestion, shippedAnswerTools } from '../../../apps/server/src/agents/answers/extract/index.ts';
import { evaluateAnswers, readAnswerSet } from '../../../apps/server/src/agents/evaluation/index.ts';
import { heldOutEvaluation } from '../../../bench/src/answers/answers-figures.ts';

type Evaluation = ReturnType<typeof evaluateAnswers>;

export const suite: Suite = {
  name: 'answers',
  measuresNoTime: true,
  summary:
    'Answers by quoting contain the asked fact, and questions that the sources do not answer are refused.',
  headline: 'found',
  promise:
    'Questions about real articles and files (who, what, when, how much, why, lists, comparisons, contradictions, follow-ups; English and Chinese) are answered with sentences of these texts. Each question is answered by a model that was trained on questions about other documents; with --quick by the shipped model, which has seen them. Every quoted sentence is in the document that it cites.',
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
