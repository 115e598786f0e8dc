import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { accounts } from '../../identity/index.ts';
import type { RelationChange } from './relation-change.ts';

/** The rows of one owner, a group or a token, in a table of its users, groups or policies. */
interface Relation {
  readonly table: `access.${'group_policy' | 'group_user' | 'token_group' | 'token_policy'}`;
  readonly organizationId: accounts.OrganizationId;
  readonly owner: readonly [column: 'group_id' | 'token_id', id: number | string];
  readonly member: 'account_id' | 'group_id' | 'policy_id';
}

export async function changeRelation(
  database: Database,
  { table, organizationId, owner: [owner, id], member }: Relation,
  { add, remove }: RelationChange<number | string>,
): Promise<void> {
  const [rows, ownerColumn, memberColumn] = [sql.table(table), sql.ref(owner), sql.ref(member)];
  if (remove.length > 0)
    await sql`DELETE FROM ${rows} WHERE organization_id = ${organizationId} AND ${ownerColumn} = ${id}
      AND ${memberColumn} IN (${sql.join(remove)})`.execute(database);
  if (add.length > 0)
    await sql`INSERT INTO ${rows} (organization_id, ${ownerColumn}, ${memberColumn})
      VALUES ${sql.join(add.map((one) => sql`(${organizationId}, ${id}, ${one})`))}
      ON CONFLICT DO NOTHING`.execute(database);
}
