import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import type { AnswerSources } from './answer.ts';
import type { AnswerModels } from './model/answer-models.ts';

export interface AnswerDeps extends AgentsDeps {
  readonly answerSources: AnswerSources;
  /** Null: this installation has no language model for agents, and answers quote. */
  readonly answerModels: AnswerModels | null;
}

export interface AgentAnswersRequest extends AgentsRequest {
  readonly agentId: string;
}
