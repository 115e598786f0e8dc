import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { answerQuestion, shippedAnswerTools } from '../agents/answers/extract/index.ts';
import { evaluateAnswers, readAnswerSet, storedAsFiles } from '../agents/evaluation/index.ts';
import { rateLine } from '../foundation/evaluation/rate.ts';
import type { Command } from './command-line.ts';
import { UsageError, printResult } from './command-line.ts';

const help = `daybook agents <action>

  evaluate <questions.jsonl> [--corpus <corpus.jsonl>] [--as files] [--failures] [--json]
      Answer labelled questions from the documents of a corpus by quoting, and compare the answers with the labels.
      The corpus of questions-dev.jsonl is corpus-dev.jsonl in the same folder; a document has a "text", or names a
      "file", relative to the corpus, and a "key". --as files
      searches them as files of an organization are searched. --failures lists the questions that are not answered correctly`;

export const run: Command['run'] = async (rest) => {
  const { values, positionals } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: {
      corpus: { type: 'string' },
      as: { type: 'string' },
      failures: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [action, file] = positionals;
  if (values.help) console.log(help);
  else if (action === 'evaluate' && file !== undefined) await evaluate(file, values);
  else throw new UsageError();
};

interface EvaluateOptions {
  readonly corpus?: string | undefined;
  readonly as?: string | undefined;
  readonly failures: boolean;
  readonly json: boolean;
}

async function evaluate(file: string, { corpus, as, failures, json }: EvaluateOptions): Promise<void> {
  if (as !== undefined && as !== 'files') throw new UsageError();
  const corpusFile = corpus ?? join(dirname(file), basename(file).replace('questions', 'corpus'));
  const set = readAnswerSet(await readFile(file, 'utf8'), await readFile(corpusFile, 'utf8'), (name) =>
    readFileSync(join(dirname(corpusFile), name), 'utf8'),
  );
  const tools = shippedAnswerTools();
  const find = as === 'files' ? storedAsFiles(set.documents) : null;
  const result = evaluateAnswers(set, (asked, documents) =>
    answerQuestion(asked, find?.(asked) ?? documents, tools),
  );
  const failed = result.outcomes.filter(
    ({ question, found, refused, wrong }) => wrong || !(found || (!question.answerable && refused)),
  );
  printResult(json, result, [
    `${set.questions.length} questions, ${set.documents.length} documents, model ${tools.model.version}; shares with 95 % intervals`,
    ...result.rates.map(rateLine),
    ...(failures ? failed : []).map(
      ({ question, wrong, sentences }) =>
        `${question.id} ${question.type}${wrong ? ', wrong' : ''}: ${question.question}\n${sentences.map((text) => `    ${text}`).join('\n')}`,
    ),
  ]);
}
