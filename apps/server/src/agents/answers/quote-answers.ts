import type { Agent } from '../agents/agent.ts';
import type { AnswerDeps } from './answer-deps.ts';
import type { ReadAnswer, StoredAnswer } from './answer.ts';
import { quoteSources, referencesOf } from './quote-sources.ts';

/** Reads the sources of stored answers again. An agent that no longer reads the public record quotes nothing of it. */
export async function quoteAnswers(
  { answerSources }: Pick<AnswerDeps, 'answerSources'>,
  { readsPublicRecord }: Pick<Agent, 'readsPublicRecord'>,
  answers: readonly StoredAnswer[],
): Promise<readonly ReadAnswer[]> {
  const references = referencesOf(answers.flatMap(({ sentences }) => sentences));
  const sources = readsPublicRecord ? await answerSources.read(references) : [];
  return answers.map((answer) => quoteSources(answer, sources));
}

export async function quoteAnswer(
  deps: Pick<AnswerDeps, 'answerSources'>,
  agent: Pick<Agent, 'readsPublicRecord'>,
  answer: StoredAnswer,
): Promise<ReadAnswer> {
  const [quoted] = await quoteAnswers(deps, agent, [answer]);
  return quoted ?? quoteSources(answer, []);
}
