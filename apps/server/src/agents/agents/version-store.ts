import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AgentId, VersionedSettings } from './agent.ts';

export interface AgentVersion {
  readonly number: number;
  readonly settings: VersionedSettings;
  /** The username of the member who made the change. */
  readonly madeBy: string;
  readonly madeAt: EpochMicroseconds;
}

const versionsMax = 50;

/**
 * The newest version gets the next number; the oldest ones beyond the limit are deleted. The caller has locked the row of
 * the agent by changing it.
 */
export async function insertVersion(
  database: Database,
  id: AgentId,
  { settings, madeBy, madeAt }: Omit<AgentVersion, 'number'>,
): Promise<void> {
  await sql`
    WITH last AS (SELECT coalesce(max(number), 0) AS number FROM agents.agent_version WHERE agent_id = ${id}),
      outdated AS (
        DELETE FROM agents.agent_version USING last
        WHERE agent_id = ${id} AND agent_version.number <= last.number + 1 - ${versionsMax}::integer)
    INSERT INTO agents.agent_version (agent_id, number, settings, made_by, made_at)
    SELECT ${id}, last.number + 1, ${JSON.stringify(settings)}::jsonb, account.id, ${isoMicroseconds(madeAt)}
    FROM last JOIN identity.account AS account ON account.username = ${madeBy}`.execute(database);
}

export async function hasVersions(database: Database, id: AgentId): Promise<boolean> {
  const found = await database
    .selectFrom('agents.agent_version')
    .select('number')
    .where('agent_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function versions(database: Database, id: AgentId) {
  return database
    .selectFrom('agents.agent_version')
    .innerJoin('identity.account', 'identity.account.id', 'made_by')
    .select(['number', 'settings', 'identity.account.username as made_by', 'made_at'])
    .where('agent_id', '=', id);
}

type VersionRow = Awaited<ReturnType<ReturnType<typeof versions>['executeTakeFirstOrThrow']>>;

function versionOf(row: VersionRow): AgentVersion {
  return {
    number: row.number,
    settings: row.settings as unknown as VersionedSettings,
    madeBy: row.made_by,
    madeAt: fromTimestamptz(row.made_at),
  };
}

/** Newest first. */
export async function selectVersions(database: Database, id: AgentId): Promise<readonly AgentVersion[]> {
  return (await versions(database, id).orderBy('number', 'desc').execute()).map(versionOf);
}

export async function findVersion(
  database: Database,
  id: AgentId,
  number: number,
): Promise<AgentVersion | null> {
  const row = await versions(database, id).where('number', '=', number).executeTakeFirst();
  return row === undefined ? null : versionOf(row);
}
