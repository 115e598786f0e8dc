import { changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { answerActions } from '../agent-actions.ts';
import type { AgentsChange } from '../agents-deps.ts';
import type { AgentAnswersRequest, AnswerDeps } from './answer-deps.ts';
import { deleteAnswer, selectAnswers } from './answer-store.ts';
import type { ReadAnswer } from './answer.ts';
import { enterAnswers, requireAnswer } from './ask.ts';
import { quoteAnswer, quoteAnswers } from './quote-answers.ts';
import { quoteSources } from './quote-sources.ts';

/** A page of the answers of an agent to a member, quoted from the sources as they are now. */
export async function listAnswers<Shown>(
  deps: AnswerDeps,
  request: AgentAnswersRequest & { readonly page: PageQuery },
  present: (answer: ReadAnswer) => Shown,
): Promise<Page<Shown>> {
  const { actor, agent, member } = await enterAnswers(deps, request, answerActions.read);
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'answer'>(),
    route: 'listAnswers',
    tenant: actor.organization.id,
    filters: { agent: agent.id, member: member.id },
  });
  const rows = await selectAnswers(deps.database, { agentId: agent.id, accountId: member.id }, page);
  const quoted = new Map((await quoteAnswers(deps, { actor, agent }, rows)).map((one) => [one.answer, one]));
  return presentPage(page, rows, (row) => present(quoted.get(row) ?? quoteSources(row, [])));
}

export async function readAnswer(
  deps: AnswerDeps,
  request: AgentAnswersRequest & { readonly answerId: string },
): Promise<ReadAnswer> {
  const { actor, agent, member } = await enterAnswers(deps, request, answerActions.read);
  const answer = await requireAnswer(deps, { agentId: agent.id, accountId: member.id }, request.answerId);
  return quoteAnswer(deps, { actor, agent }, answer);
}

export const answerDeleted = defineAuditKind('answer_deleted', 'You deleted an answer of an agent.');

export async function removeAnswer(
  deps: AnswerDeps,
  request: AgentAnswersRequest & AgentsChange & { readonly answerId: string },
): Promise<void> {
  const { actor, agent, member } = await enterAnswers(deps, request, answerActions.delete);
  const owner = { agentId: agent.id, accountId: member.id };
  const { id } = await requireAnswer(deps, owner, request.answerId);
  await deps.database.transaction().execute(async (transaction) => {
    await deleteAnswer(transaction, owner, id);
    await changes.recordActorEvent(transaction, deps, actor, {
      kind: answerDeleted,
      at: deps.clock.now(),
      client: request.client,
      detail: { agentId: agent.id, answerId: id, username: member.username },
    });
  });
}
