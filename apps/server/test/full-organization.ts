import { sql } from 'kysely';

import type { AccountsStage } from './accounts-stage.ts';

/** Members, tokens and files of a full organization. */
const amounts = { members: 1_000, tokens: 500, files: 10_000 };

/** Rows in the numbers of a large organization, with names of different lengths and scripts. */
export async function fillOrganization(
  stage: AccountsStage,
  { organization, project }: { readonly organization: string; readonly project: string },
): Promise<void> {
  const { database } = stage.superuser;
  const owner = sql`(SELECT id FROM identity.account WHERE username = 'maximiliane')`;
  const within = sql`(SELECT id FROM identity.organization WHERE key = ${organization})`;
  await sql`
    WITH made AS (
      INSERT INTO identity.account (id, username, email, email_normalised, name, organization_id, created_at)
      SELECT gen_random_uuid(), 'reporter-' || n, 'reporter-' || n || '@example.org',
        'reporter-' || n || '@example.org',
        (ARRAY['Nora Lindqvist', '张薇', 'Tomás Aguilar de la Fuente y Montenegro', '佐藤花子', 'Ng'])[1 + n % 5] || ' ' || n,
        ${within}, now() - n * interval '1 hour'
      FROM generate_series(1, ${amounts.members}::int) AS n RETURNING id, username, created_at
    )
    INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at, last_seen_at)
    SELECT ${within}, id, (ARRAY['member', 'viewer', 'admin', 'guest'])[1 + length(username) % 4], created_at, created_at
    FROM made`.execute(database);
  await sql`
    INSERT INTO access.platform_token (id, organization_id, name, secret_hash, created_by, mode, created_at, expires, expires_at, last_used_at)
    SELECT gen_random_uuid(), ${within}, (ARRAY['nightly-index', '夜间镜像', 'deployment-of-the-internal-search-service'])[1 + n % 3] || '-' || n,
      sha256(n::text::bytea), ${owner}, CASE WHEN n % 7 = 0 THEN 'owner' ELSE 'token_policies' END,
      now() - n * interval '1 day', '', CASE n % 3 WHEN 0 THEN now() + n * interval '1 day' WHEN 1 THEN now() - interval '1 day' END,
      CASE WHEN n % 2 = 0 THEN now() - n * interval '1 minute' END
    FROM generate_series(1, ${amounts.tokens}::int) AS n`.execute(database);
  const name = sql`(ARRAY['Interview Sato, transcript', '第三次考察的观察记录', 'A long name of a scanned contract with all of its annexes and the signatures of both parties'])[1 + n % 3] || ' ' || n || '.pdf'`;
  await sql`
    WITH made AS (
      INSERT INTO storage.entry (project_id, id, kind, name, folded_name, version, created_by, created_at, updated_at)
      SELECT ${project}::uuid, gen_random_uuid(), 'file', ${name}, lower(${name}), 1, ${owner},
        now() - n * interval '1 minute', now() - n * interval '1 minute'
      FROM generate_series(1, ${amounts.files}::int) AS n RETURNING id, created_at
    ), stored AS (
      INSERT INTO storage.blob (project_id, key, size, sha256, created_at, stored_at, scan_state)
      SELECT ${project}::uuid, md5(id::text), 42000, sha256(id::text::bytea), created_at, created_at, 'clean' FROM made
    )
    INSERT INTO storage.version (project_id, file_id, number, id, blob_key, media_type, created_by, created_at)
    SELECT ${project}::uuid, id, 1, gen_random_uuid(), md5(id::text), 'application/pdf', ${owner}, created_at FROM made`.execute(
    database,
  );
}
