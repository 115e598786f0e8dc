import type { Database } from '../../foundation/database/database.ts';
import type { RelationChange } from '../changes/relation-change.ts';
import { changeRelation } from '../changes/relation-store.ts';
import type { PlatformToken } from '../credentials/platform-token.ts';

export interface TokenAttachments {
  readonly policies: readonly number[];
  readonly groups: readonly number[];
}

type TokenKey = Pick<PlatformToken, 'id' | 'organizationId'>;

export async function readTokenAttachments(
  database: Database,
  { id, organizationId }: TokenKey,
): Promise<TokenAttachments> {
  const policies = await database
    .selectFrom('access.token_policy')
    .select('policy_id')
    .where('organization_id', '=', organizationId)
    .where('token_id', '=', id)
    .orderBy('policy_id')
    .execute();
  const groups = await database
    .selectFrom('access.token_group')
    .select('group_id')
    .where('organization_id', '=', organizationId)
    .where('token_id', '=', id)
    .orderBy('group_id')
    .execute();
  return {
    policies: policies.map((row) => row.policy_id),
    groups: groups.map((row) => row.group_id),
  };
}

export function changeTokenAttachments(
  database: Database,
  { id, organizationId }: TokenKey,
  kind: 'policy' | 'group',
  change: RelationChange<number>,
): Promise<void> {
  const relation = { table: `access.token_${kind}`, member: `${kind}_id` } as const;
  return changeRelation(database, { ...relation, organizationId, owner: ['token_id', id] }, change);
}
