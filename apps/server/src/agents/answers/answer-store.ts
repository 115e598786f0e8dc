import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { AgentId } from '../agents/agent.ts';
import type { AnswerId, ModelOutcome, StoredAnswer, StoredSentence } from './answer.ts';

type AccountId = StoredAnswer['accountId'];

/** The answers of an agent to a member. */
export interface AnswerOwner {
  readonly agentId: AgentId;
  readonly accountId: AccountId;
}

function answers(database: Database, { agentId, accountId }: AnswerOwner) {
  return database
    .selectFrom('agents.answer')
    .select([
      'id',
      'agent_id',
      'account_id',
      'follows',
      'question',
      'sentences',
      'contradictions',
      'unanswered',
      'written_by',
      'model_provider',
      'model_outcome',
      'stopped',
      'input_tokens',
      'output_tokens',
      'request_key',
      'as_of',
      'created_at',
    ])
    .where('agent_id', '=', agentId)
    .where('account_id', '=', accountId);
}

type AnswerRow = Awaited<ReturnType<ReturnType<typeof answers>['executeTakeFirstOrThrow']>>;

function answerOf(row: AnswerRow): StoredAnswer {
  return {
    id: row.id as AnswerId,
    agentId: row.agent_id as AgentId,
    accountId: row.account_id as AccountId,
    follows: row.follows as AnswerId | null,
    question: row.question,
    sentences: row.sentences as unknown as readonly StoredSentence[],
    contradictions: row.contradictions as unknown as StoredAnswer['contradictions'],
    unanswered: row.unanswered,
    by: row.written_by === 'model' ? 'model' : 'extract',
    model:
      row.model_provider === null
        ? null
        : { provider: row.model_provider, outcome: row.model_outcome as ModelOutcome },
    stopped: row.stopped as unknown as StoredAnswer['stopped'],
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens },
    requestKey: row.request_key,
    asOf: fromTimestamptz(row.as_of ?? row.created_at),
    createdAt: fromTimestamptz(row.created_at),
  };
}

/** False, and nothing inserted, if there is an answer to a request with the same key. */
export async function insertAnswer(
  database: Database,
  { id }: Pick<callers.Organization, 'id'>,
  answer: StoredAnswer,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('agents.answer')
    .values({
      id: answer.id,
      organization_id: id,
      agent_id: answer.agentId,
      account_id: answer.accountId,
      follows: answer.follows,
      question: answer.question,
      sentences: JSON.stringify(answer.sentences),
      contradictions: JSON.stringify(answer.contradictions),
      unanswered: [...answer.unanswered],
      written_by: answer.by,
      model_provider: answer.model?.provider ?? null,
      model_outcome: answer.model?.outcome ?? null,
      stopped: JSON.stringify(answer.stopped),
      input_tokens: answer.usage.inputTokens,
      output_tokens: answer.usage.outputTokens,
      request_key: answer.requestKey,
      as_of: isoMicroseconds(answer.asOf),
      created_at: isoMicroseconds(answer.createdAt),
    })
    .onConflict((taken) =>
      taken
        .columns(['agent_id', 'account_id', 'request_key'])
        .where('request_key', 'is not', null)
        .doNothing(),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** The oldest answers of an agent to a member beyond this number are deleted when another one is stored. */
const answersMax = 1_000;

export async function removeOldestAnswers(
  database: Database,
  { agentId, accountId }: AnswerOwner,
): Promise<void> {
  await sql`
    DELETE FROM agents.answer WHERE agent_id = ${agentId} AND account_id = ${accountId}
      AND (created_at, id) <= (
        SELECT created_at, id FROM agents.answer WHERE agent_id = ${agentId} AND account_id = ${accountId}
        ORDER BY created_at DESC, id DESC OFFSET ${answersMax} LIMIT 1
      )`.execute(database);
}

/** The questions of a conversation up to an answer, oldest first. */
export async function readConversation(
  database: Database,
  { agentId, accountId }: AnswerOwner,
  id: AnswerId,
  questionsMax: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly question: string }>`
    WITH RECURSIVE chain AS (
      SELECT follows, question, 1 AS place FROM agents.answer
      WHERE id = ${id} AND agent_id = ${agentId} AND account_id = ${accountId}
      UNION ALL
      SELECT earlier.follows, earlier.question, place + 1 FROM chain
      JOIN agents.answer AS earlier ON earlier.id = chain.follows
      WHERE place < ${questionsMax} AND earlier.agent_id = ${agentId} AND earlier.account_id = ${accountId}
    )
    SELECT question FROM chain ORDER BY place DESC`.execute(database);
  return rows.map(({ question }) => question);
}

/** The answers to an account in an organization, ordered by id. */
export async function selectAnswersTo(
  database: Database,
  { id }: Pick<callers.Organization, 'id'>,
  accountId: AccountId,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly Pick<StoredAnswer, 'id' | 'agentId' | 'question' | 'sentences' | 'createdAt'>[]> {
  let query = database
    .selectFrom('agents.answer')
    .select(['id', 'agent_id', 'question', 'sentences', 'created_at'])
    .where('organization_id', '=', id)
    .where('account_id', '=', accountId);
  if (page.after !== undefined) query = query.where('id', '>', page.after);
  const rows = await query.orderBy('id').limit(page.limit).execute();
  return rows.map((row) => ({
    id: row.id as AnswerId,
    agentId: row.agent_id as AgentId,
    question: row.question,
    sentences: row.sentences as unknown as readonly StoredSentence[],
    createdAt: fromTimestamptz(row.created_at),
  }));
}

export async function selectAnswers(
  database: Database,
  owner: AnswerOwner,
  request: PageRequest<AnswerId>,
): Promise<readonly StoredAnswer[]> {
  const columns = { createdAt: 'created_at', id: 'id' } as const;
  return (await selectPage(answers(database, owner), request, columns).execute()).map(answerOf);
}

export async function findAnswer(
  database: Database,
  owner: AnswerOwner,
  id: AnswerId,
): Promise<StoredAnswer | null> {
  const row = await answers(database, owner).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : answerOf(row);
}

/** The answer to an earlier request with the same key. */
export async function findAnswerOfRequest(
  database: Database,
  owner: AnswerOwner,
  requestKey: string,
): Promise<StoredAnswer | null> {
  const row = await answers(database, owner).where('request_key', '=', requestKey).executeTakeFirst();
  return row === undefined ? null : answerOf(row);
}

/** Answers in the words of a model after an id, ordered by id. */
export async function selectWrittenAnswers(
  database: Database,
  page: { readonly limit: number; readonly after: string | null },
): Promise<readonly Pick<StoredAnswer, 'id' | 'sentences'>[]> {
  let query = database
    .selectFrom('agents.answer')
    .select(['id', 'sentences'])
    .where(sql<boolean>`written_by = 'model'`);
  if (page.after !== null) query = query.where('id', '>', page.after);
  const rows = await query.orderBy('id').limit(page.limit).execute();
  return rows.map(({ id, sentences }) => ({
    id: id as AnswerId,
    sentences: sentences as unknown as readonly StoredSentence[],
  }));
}

export async function saveSentences(
  database: Database,
  id: AnswerId,
  sentences: readonly StoredSentence[],
): Promise<void> {
  await database
    .updateTable('agents.answer')
    .set({ sentences: JSON.stringify(sentences) })
    .where('id', '=', id)
    .execute();
}

export async function deleteAnswer(
  database: Database,
  { agentId, accountId }: AnswerOwner,
  id: AnswerId,
): Promise<void> {
  await database
    .deleteFrom('agents.answer')
    .where('agent_id', '=', agentId)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Without a choice of the organization. */
export const keepDaysDefault = 90;

export async function readKeepDays(
  database: Database,
  { id }: Pick<callers.Organization, 'id'>,
): Promise<number> {
  const row = await database
    .selectFrom('agents.answer_retention')
    .select('keep_days')
    .where('organization_id', '=', id)
    .executeTakeFirst();
  return row?.keep_days ?? keepDaysDefault;
}

export async function saveKeepDays(
  database: Database,
  { id }: Pick<callers.Organization, 'id'>,
  keepDays: number,
): Promise<void> {
  await database
    .insertInto('agents.answer_retention')
    .values({ organization_id: id, keep_days: keepDays })
    .onConflict((stored) => stored.column('organization_id').doUpdateSet({ keep_days: keepDays }))
    .execute();
}

/**
 * Deletes, in batches, the answers that are older than their organization stores them, and those of accounts that left
 * the organization or were deleted; returns their number. The members with answers are read from the index one by one.
 */
export function removeExpiredAnswers(database: Database, now: EpochMicroseconds): Promise<number> {
  const at = isoMicroseconds(now);
  return deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await sql`
      WITH RECURSIVE asker AS (
        (SELECT organization_id, account_id FROM agents.answer ORDER BY organization_id, account_id LIMIT 1)
        UNION ALL
        SELECT next.organization_id, next.account_id FROM asker CROSS JOIN LATERAL (
          SELECT organization_id, account_id FROM agents.answer
          WHERE (organization_id, account_id) > (asker.organization_id, asker.account_id)
          ORDER BY organization_id, account_id LIMIT 1
        ) AS next
      ), due AS (
        SELECT asker.*, CASE WHEN member.account_id IS NULL THEN 'infinity'::timestamptz
          ELSE ${at}::timestamptz - make_interval(days => coalesce(keep_days, ${keepDaysDefault})) END AS before
        FROM asker
        LEFT JOIN agents.answer_retention USING (organization_id)
        LEFT JOIN identity.organization_membership AS member USING (organization_id, account_id)
      )
      DELETE FROM agents.answer WHERE id = ANY (ARRAY(
        SELECT answer.id FROM due CROSS JOIN LATERAL (
          SELECT id FROM agents.answer
          WHERE organization_id = due.organization_id AND account_id = due.account_id
            AND created_at < due.before
          ORDER BY created_at LIMIT ${rows}
        ) AS answer LIMIT ${rows}
      ))`.execute(database);
    return Number(numAffectedRows);
  });
}
