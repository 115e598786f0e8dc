import { containsPattern } from '../../foundation/database/contains-pattern.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { accounts } from '../../identity/index.ts';

/** Numbered in its organization, with a name that is unique per kind. */
export interface NamedRecord {
  readonly id: number;
  readonly name: string;
  readonly createdAt: EpochMicroseconds;
  readonly updatedAt: EpochMicroseconds;
}

export type NamedTable = 'access.policy' | 'access.user_group';

type OrganizationId = accounts.OrganizationId;

export interface NamedStore<Found extends NamedRecord> {
  readonly table: NamedTable;
  readonly select: (
    database: Database,
    organizationId: OrganizationId,
    request: PageRequest<bigint>,
    /** Matches the name, case-insensitively. */
    query?: string,
  ) => Promise<readonly Found[]>;
  /** The numbers that exist in the organization. */
  readonly find: (
    database: Database,
    organizationId: OrganizationId,
    ids: readonly number[],
  ) => Promise<readonly Found[]>;
  readonly count: (database: Database, organizationId: OrganizationId) => Promise<number>;
  /** False if it does not exist. Foreign keys protect a row that is in use. */
  readonly remove: (database: Database, organizationId: OrganizationId, id: number) => Promise<boolean>;
}

export function createNamedStore<Found extends NamedRecord>(
  table: NamedTable,
  further: readonly ('actions' | 'resources')[],
): NamedStore<Found> {
  const all = (database: Database, organizationId: OrganizationId) =>
    database
      .selectFrom(table)
      .select(['id', 'name', 'created_at', 'updated_at', ...further])
      .where('organization_id', '=', organizationId);
  type Row = Awaited<ReturnType<ReturnType<typeof all>['executeTakeFirstOrThrow']>>;
  const recordOf = ({ created_at, updated_at, ...row }: Row): Found =>
    ({
      ...row,
      createdAt: fromTimestamptz(created_at),
      updatedAt: fromTimestamptz(updated_at),
    }) as unknown as Found;
  return {
    table,
    select: async (database, organizationId, request, query) => {
      const rows = all(database, organizationId);
      const found = query === undefined ? rows : rows.where('name', 'ilike', containsPattern(query));
      const page = selectPage(found, request, { createdAt: 'created_at', id: 'id' });
      return (await page.execute()).map(recordOf);
    },
    find: async (database, organizationId, ids) => {
      if (ids.length === 0) return [];
      const rows = all(database, organizationId).where('id', 'in', [...ids]);
      return (await rows.execute()).map(recordOf);
    },
    count: async (database, organizationId) => {
      const { count } = await database
        .selectFrom(table)
        .select((select) => select.fn.countAll<bigint>().as('count'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    remove: async (database, organizationId, id) => {
      const { numDeletedRows } = await database
        .deleteFrom(table)
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
