import { sql } from 'kysely';

import type { AccountsStage } from './accounts-stage.ts';

/** What a full organization contains. */
const amounts = { members: 1_000, groups: 60, policies: 120, tokens: 500, files: 10_000 };
const membersOfGroup = 25;

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
  await sql`
    INSERT INTO access.policy (organization_id, id, name, actions, resources, created_at, updated_at)
    SELECT ${within}, 1000 + n,
      (ARRAY['Read files', '管理智能体', 'Publishing of the regional editions, with the archive'])[1 + n % 3] || ' ' || n,
      CASE n % 3 WHEN 0 THEN ARRAY['Daybook.Storage/Files/read', 'Daybook.Storage/Folders/read']
        WHEN 1 THEN ARRAY['Daybook.Agents/*'] ELSE ARRAY['Daybook.Core/Members/read'] END,
      ARRAY['/organizations/' || ${organization} || '/**'], now() - n * interval '1 day', now() - n * interval '1 hour'
    FROM generate_series(1, ${amounts.policies}::int) AS n`.execute(database);
  await sql`
    WITH made AS (
      INSERT INTO access.user_group (organization_id, id, name, created_at, updated_at)
      SELECT ${within}, 1000 + n,
        (ARRAY['Weekend duty', '周末值班', 'Correspondents of the northern and western offices'])[1 + n % 3] || ' ' || n,
        now() - n * interval '1 day', now() - n * interval '1 hour'
      FROM generate_series(1, ${amounts.groups}::int) AS n RETURNING organization_id, id
    ), allowed AS (
      INSERT INTO access.group_policy (organization_id, group_id, policy_id)
      SELECT organization_id, id, 1001 + (id + part) % ${amounts.policies}::int FROM made, generate_series(0, 2) AS part
    )
    INSERT INTO access.group_user (organization_id, group_id, account_id)
    SELECT organization_id, id, account_id FROM made, LATERAL (
      SELECT account_id FROM identity.organization_membership AS member
      WHERE member.organization_id = made.organization_id ORDER BY account_id LIMIT ${membersOfGroup}) AS member`.execute(
    database,
  );
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
