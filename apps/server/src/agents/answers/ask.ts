import { callers, changes, permissions } from '../../access/index.ts';
import { parseId } from '../../foundation/ids.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import { answerActions, agentActions } from '../agent-actions.ts';
import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import type { Agent } from '../agents/agent.ts';
import { requireAgent } from '../agents/read-agents.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { findAnswer, insertAnswer, readConversation, removeOldestAnswers } from './answer-store.ts';
import type {
  AnswerSources,
  CitableSource,
  FilePlace,
  ReadAnswer,
  SourceKind,
  SourceScope,
  StoredAnswer,
} from './answer.ts';
import type { AnsweredPart, AskedQuestion } from './extract/index.ts';
import {
  answerQuestion,
  findContradictions,
  findPassages,
  readDocument,
  searchWords,
  shippedAnswerTools,
} from './extract/index.ts';
import { quoteSources, sentenceHash } from './quote-sources.ts';

export interface AnswerDeps extends AgentsDeps {
  readonly answerSources: AnswerSources;
}

export interface AgentAnswersRequest extends AgentsRequest {
  readonly agentId: string;
}

export interface Ask {
  readonly question: string;
  /** The answer before it in the same conversation. */
  readonly follows: string | null;
}

/** Questions of a conversation that a question is read with. */
const conversationMax = 4;

/** Answers a question from the sources that the caller and the agent may read, and stores which of them it quotes. */
export async function ask(deps: AnswerDeps, request: AgentAnswersRequest & Ask): Promise<ReadAnswer> {
  const { actor, agent, member } = await enterAnswers(deps, request, answerActions.create);
  const owner = { agentId: agent.id, accountId: member.id };
  const previous = request.follows === null ? null : await requireAnswer(deps, owner, request.follows);
  const { answerSources, database } = deps;
  const asOf = answerSources.now();
  const asked: AskedQuestion = {
    text: request.question,
    before: previous === null ? [] : await readConversation(database, owner, previous.id, conversationMax),
    day: isoMicroseconds(asOf).slice(0, 10),
  };
  const sources = await findSources(deps, { actor, agent }, asked);
  const parts = answerQuestion(asked, sources.map(readDocument), shippedAnswerTools());
  const answer: StoredAnswer = {
    id: deps.ids.next(),
    ...owner,
    follows: previous?.id ?? null,
    question: request.question,
    ...quotedIn(parts, languageOfText(request.question)),
    asOf,
    createdAt: deps.clock.now(),
  };
  await database.transaction().execute(async (transaction) => {
    await insertAnswer(transaction, actor.organization, answer);
    await removeOldestAnswers(transaction, owner);
  });
  return quoteSources(answer, sources);
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
  { text, before }: AskedQuestion,
): Promise<readonly CitableSource[]> {
  const words = searchWords(text, before, shippedAnswerTools().rarity);
  const found = words.length === 0 ? [] : await answerSources.find(scope, words);
  return found.map((source) => ({ ...source, passages: findPassages(source.text, words) }));
}

/** Sentences in the language of the question come first; a sentence that answers two parts is quoted once. */
function quotedIn(
  parts: readonly AnsweredPart[],
  language: string,
): Pick<StoredAnswer, 'sentences' | 'contradictions' | 'unanswered'> {
  const byText = new Map(
    parts.flatMap(({ sentences }) => sentences.map((one) => [one.sentence.text, one] as const)),
  );
  const isOther = (text: string): number => (languageOfText(text) === language ? 0 : 1);
  const quoted = [...byText.values()].sort(
    (one, other) => isOther(one.sentence.text) - isOther(other.sentence.text),
  );
  return {
    sentences: quoted.map(({ document, sentence }) => ({
      kind: document.source.kind as SourceKind,
      id: document.source.id,
      hash: sentenceHash(sentence.text),
      ...placeInFile(document.source, sentence),
    })),
    contradictions: findContradictions(quoted),
    unanswered: parts.filter(({ sentences }) => sentences.length === 0).map(({ question }) => question.text),
  };
}

function placeInFile(
  { version }: Pick<CitableSource, 'version'>,
  { text, start }: AnsweredPart['candidates'][number]['sentence'],
): { readonly file?: FilePlace } {
  if (version === undefined || start === null) return {};
  return { file: { version, start, end: start + text.length } };
}
