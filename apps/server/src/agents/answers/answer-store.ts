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
import type { AnswerId, StoredAnswer, StoredSentence } from './answer.ts';

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
    createdAt: fromTimestamptz(row.created_at),
  };
}

export async function insertAnswer(
  database: Database,
  { id }: Pick<callers.Organization, 'id'>,
  answer: StoredAnswer,
): Promise<void> {
  await database
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
      written_by: 'extract',
      created_at: isoMicroseconds(answer.createdAt),
    })
    .execute();
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
 * the organization or were deleted; returns their number.
 */
export function removeExpiredAnswers(database: Database, now: EpochMicroseconds): Promise<number> {
  const at = isoMicroseconds(now);
  return deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM agents.answer WHERE id = ANY (ARRAY(
        SELECT answer.id FROM agents.answer LEFT JOIN agents.answer_retention USING (organization_id)
        WHERE answer.created_at
          < ${at}::timestamptz - make_interval(days => coalesce(keep_days, ${keepDaysDefault}))
          OR NOT EXISTS (
            SELECT FROM identity.organization_membership AS member
            WHERE member.organization_id = answer.organization_id AND member.account_id = answer.account_id
          )
        ORDER BY answer.created_at LIMIT ${rows}
      ))`.execute(database);
    return Number(numAffectedRows);
  });
}
