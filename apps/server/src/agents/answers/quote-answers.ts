import type { AnswerDeps } from './answer-deps.ts';
import type { ReadAnswer, SourceScope, StoredAnswer } from './answer.ts';
import { quoteSources } from './quote-sources.ts';

/** Reads the sources of stored answers again: those that the reader can read now, and that the agent still searches. */
export async function quoteAnswers(
  { answerSources }: Pick<AnswerDeps, 'answerSources'>,
  scope: SourceScope,
  answers: readonly StoredAnswer[],
): Promise<readonly ReadAnswer[]> {
  const references = answers.flatMap(({ sentences }) => sentences);
  const sources = await answerSources.read(scope, references);
  return answers.map((answer) => quoteSources(answer, sources));
}

export async function quoteAnswer(
  deps: Pick<AnswerDeps, 'answerSources'>,
  scope: SourceScope,
  answer: StoredAnswer,
): Promise<ReadAnswer> {
  const [quoted] = await quoteAnswers(deps, scope, [answer]);
  return quoted ?? quoteSources(answer, []);
}
