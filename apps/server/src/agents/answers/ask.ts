import { callers, changes, permissions } from '../../access/index.ts';
import { sha256 } from '../../foundation/hash.ts';
import { parseId } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { answerActions, agentActions } from '../agent-actions.ts';
import type { AgentsDeps } from '../agents-deps.ts';
import type { Agent } from '../agents/agent.ts';
import { requireAgent } from '../agents/read-agents.ts';
import { enterAsMember } from '../enter-as-member.ts';
import type { AgentAnswersRequest, AnswerDeps } from './answer-deps.ts';
import type { AnswerOwner } from './answer-store.ts';
import {
  findAnswer,
  findAnswerOfRequest,
  insertAnswer,
  readConversation,
  removeOldestAnswers,
} from './answer-store.ts';
import type { AnswerId, CitableSource, ReadAnswer, SourceScope, StoredAnswer } from './answer.ts';
import type { Draft, DraftRequest, LiveAnswer } from './draft-answer.ts';
import { draftAnswer } from './draft-answer.ts';
import type { AskedQuestion } from './extract/index.ts';
import {
  answerQuestion,
  findPassages,
  readDocument,
  searchFor,
  shippedAnswerTools,
} from './extract/index.ts';
import { quoteAnswer } from './quote-answers.ts';
import { quoteSources } from './quote-sources.ts';
import { watchCorrections, watchesCorrections } from './watch-corrections.ts';

export interface Ask {
  readonly question: string;
  /** The answer before it in the same conversation. */
  readonly follows: string | null;
  /** Chosen by the client: a repetition of the request finds the answer, and spends nothing. */
  readonly requestKey: string | null;
  /** When the same question was answered before by its schedule. */
  readonly lastRunAt?: EpochMicroseconds | null;
}

/** Questions of a conversation that a question is read with. */
const conversationMax = 4;

/**
 * Answers a question from the sources that the caller and the agent may read, and stores the citations, and the
 * sentences of a model.
 */
export async function ask(
  deps: AnswerDeps,
  request: AgentAnswersRequest & Ask,
  live: LiveAnswer = {},
): Promise<ReadAnswer> {
  const { actor, agent, member } = await enterAnswers(deps, request, answerActions.create);
  const owner = { agentId: agent.id, accountId: member.id };
  const scope: SourceScope = { actor, agent };
  const earlier = await answerOfRequest(deps, owner, request.requestKey);
  if (earlier !== null) return quoteAnswer(deps, scope, earlier);
  const previous = request.follows === null ? null : await requireAnswer(deps, owner, request.follows);
  const { answerSources, database } = deps;
  const asOf = answerSources.now();
  const asked: AskedQuestion = {
    text: request.question,
    before: previous === null ? [] : await readConversation(database, owner, previous.id, conversationMax),
    day: isoMicroseconds(asOf).slice(0, 10),
  };
  const id: AnswerId = deps.ids.next();
  const payer = { ...owner, organizationId: actor.organization.id };
  const key = callKey(owner, id, request);
  const { draft, sources } = watchesCorrections(agent)
    ? await watchCorrections(deps, scope, { ...request, asOf })
    : await answerFromTexts(deps, { agent, scope, asked, key, payer }, live);
  const answer: StoredAnswer = {
    id,
    ...owner,
    follows: previous?.id ?? null,
    question: request.question,
    ...draft,
    requestKey: request.requestKey,
    asOf,
    createdAt: deps.clock.now(),
  };
  const isStored = await storeAnswer(deps, actor, answer);
  const stored = isStored ? answer : await answerOfRequest(deps, owner, request.requestKey);
  // A model takes seconds: its sources may have been withdrawn meanwhile.
  if (draft.by === 'model' || !isStored) return quoteAnswer(deps, scope, stored ?? answer);
  return quoteSources(answer, sources);
}

async function answerFromTexts(
  deps: AnswerDeps,
  request: Omit<DraftRequest, 'parts'>,
  live: LiveAnswer,
): Promise<{ readonly draft: Draft; readonly sources: readonly CitableSource[] }> {
  const { scope, asked } = request;
  const sources = await findSources(deps, scope, asked);
  const parts = answerQuestion(asked, sources.map(readDocument), shippedAnswerTools());
  return { draft: await draftAnswer(deps, { ...request, parts }, live), sources };
}

async function answerOfRequest(
  { database }: AnswerDeps,
  owner: AnswerOwner,
  requestKey: string | null,
): Promise<StoredAnswer | null> {
  return requestKey === null ? null : findAnswerOfRequest(database, owner, requestKey);
}

/** Of the paid calls: the same for a repetition of the request. */
function callKey({ agentId, accountId }: AnswerOwner, id: AnswerId, { requestKey }: Ask): string {
  return requestKey === null ? `answer/${id}` : `answer/${agentId}/${accountId}/${sha256(requestKey)}`;
}

/** False if a repetition of the request was faster. */
function storeAnswer(
  { database }: AnswerDeps,
  { organization }: callers.OrganizationActor,
  answer: StoredAnswer,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await insertAnswer(transaction, organization, answer))) return false;
    await removeOldestAnswers(transaction, answer);
    return true;
  });
}

/**
 * The agent and the member whose answers they are, if the caller has the permission for them. The answers of another
 * member require every permission of that member: questions and sources reveal what the member could read.
 */
export async function enterAnswers(
  deps: AgentsDeps,
  request: AgentAnswersRequest,
  action: (typeof answerActions)[keyof typeof answerActions],
): Promise<Awaited<ReturnType<typeof enterAsMember>> & { readonly agent: Agent }> {
  const { actor, member } = await enterAsMember(deps, request);
  await changes.requireOver(deps.database, actor, member);
  const agent = await requireAgent(deps, actor, request.agentId, agentActions.read);
  const { key } = actor.organization;
  callers.requirePermission(actor, action, permissions.resourceOf(key, 'agents', agent.id, 'answers'));
  return { actor, member, agent };
}

export async function requireAnswer(
  { database }: Pick<AgentsDeps, 'database'>,
  owner: Pick<StoredAnswer, 'agentId' | 'accountId'>,
  answerId: string,
): Promise<StoredAnswer> {
  const id = parseId<'answer'>(answerId);
  const answer = id.ok ? await findAnswer(database, owner, id.value) : null;
  if (answer === null) throw callers.notFoundOrHidden();
  return answer;
}

async function findSources(
  { answerSources }: AnswerDeps,
  scope: SourceScope,
  asked: AskedQuestion,
): Promise<readonly CitableSource[]> {
  const search = searchFor(asked, shippedAnswerTools().rarity);
  if (search.words.length === 0) return [];
  const found = await answerSources.find(scope, search);
  return found.map((source) => ({ ...source, passages: findPassages(source.text, search.words) }));
}
