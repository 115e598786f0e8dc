import { startCluster } from '@daybook/local-postgres';
import type { Cluster } from '@daybook/local-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import type { Migration } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import type { MigrationJudgement } from './judge-migrations.ts';
import { judgeMigrations } from './judge-migrations.ts';

const released = await readMigrations();
const planted: Readonly<Record<string, string>> = {
  nullable: 'ALTER TABLE record.item ADD COLUMN planted_text text;',
  constant: `ALTER TABLE record.item ADD COLUMN planted_flag boolean NOT NULL DEFAULT false;`,
  volatile: 'ALTER TABLE record.item ADD COLUMN planted_at timestamptz DEFAULT clock_timestamp();',
  index: `CREATE INDEX planted_index ON record.item (md5(repeat(title, 200)));`,
  concurrent: `-- outside a transaction
CREATE INDEX CONCURRENTLY planted_concurrent ON record.item (md5(repeat(title, 200)));`,
  declared: `-- daybook:blocks the table is small in every installation
ALTER TABLE record.item ADD COLUMN planted_when timestamptz DEFAULT clock_timestamp();`,
  unexplained: `-- daybook:blocks
ALTER TABLE record.item ADD COLUMN planted_late timestamptz DEFAULT clock_timestamp();`,
  required:
    'ALTER TABLE identity.account ADD COLUMN planted_number integer NOT NULL DEFAULT 1;\nALTER TABLE identity.account ALTER COLUMN planted_number DROP DEFAULT;',
  dropped: 'ALTER TABLE record.item DROP COLUMN reason;',
  contracted: `-- daybook:contracts the release before last was the last to read it
ALTER TABLE record.story DROP COLUMN merged_at;`,
};

let cluster: Cluster;
let judged: ReadonlyMap<string, MigrationJudgement>;
beforeAll(async () => {
  cluster = await startCluster({ settings: { fsync: 'off', synchronous_commit: 'off' } });
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'gate' });
  const added = Object.entries(planted).map(([name, sql], at): Migration => ({
    number: released.length + at + 1,
    name,
    sql,
    sha256: name,
    breaking: false,
    inTransaction: !sql.startsWith('-- outside'),
  }));
  const judgements = await judgeMigrations(
    { superuserUrl: cluster.url('daybook'), ownerUrl: urls.owner },
    { released, added, rows: 50_000 },
  );
  judged = new Map(judgements.map((judgement) => [judgement.migration.name, judgement]));
}, 240_000);
afterAll(() => cluster.remove());

test.for(['nullable', 'constant', 'concurrent'])('accepts a migration that waits for nothing: %s', (name) => {
  expect(judged.get(name)?.findings).toEqual([]);
});

test('refuses a migration that rewrites a table', () => {
  expect(judged.get('volatile')?.refused).toContain('rewrites record.item');
});

test('refuses a migration that blocks writes for more than 200 ms', () => {
  expect(judged.get('index')?.refused).toContain('INSERT on record.item waits more than 200 ms for a lock');
});

test('accepts what a file declares with a reason, and only then', () => {
  expect(judged.get('declared')).toMatchObject({
    findings: expect.arrayContaining(['rewrites record.item']),
    refused: [],
  });
  expect(judged.get('unexplained')?.refused).toContain('rewrites record.item');
});

test('refuses a migration after which statements of the release fail, unless it is declared', () => {
  expect(judged.get('required')?.refused.join()).toMatch(/INSERT on identity.account fails: .*null value/);
  expect(judged.get('dropped')?.refused.join()).toMatch(/SELECT on record.item fails: .*reason/);
  expect(judged.get('contracted')).toMatchObject({
    findings: [expect.stringMatching(/SELECT on record.story fails/)],
    refused: [],
  });
});
