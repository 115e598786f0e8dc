import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';

import type { AccountsStage } from '../apps/server/test/accounts-stage.ts';
import { grantOf, openAccountsStage, send } from '../apps/server/test/accounts-stage.ts';
import type { launchBrowser } from '../apps/server/test/browser.ts';
import { signInOnPage } from '../apps/server/test/browser.ts';
import { seedPictureWorld } from './picture-world.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

export const consoleStates = ['new', 'full'] as const;
export type ConsoleState = (typeof consoleStates)[number];

const organization = 'morning';
const home = `/platform/${organization}`;

/** Members, tokens and files of a full organization. */
const amounts = { members: 1_000, tokens: 500, files: 10_000 };

/** Twenty pages; those of a project exist in both states. */
function pagesOf(project: string, folder: string): Readonly<Record<string, string>> {
  return {
    overview: home,
    members: `${home}/members`,
    'invite-member': `${home}/members?new=1`,
    invitations: `${home}/invitations`,
    groups: `${home}/groups`,
    tokens: `${home}/tokens`,
    'create-token': `${home}/tokens?new=1`,
    policies: `${home}/policies`,
    'create-policy': `${home}/policies?new=1`,
    agents: `${home}/agents`,
    audit: `${home}/audit`,
    settings: `${home}/settings`,
    projects: `${home}/projects`,
    project: `${home}/projects/${project}`,
    folder: `${home}/folders/${folder}`,
    quotas: `${home}/quotas`,
    account: '/account',
    security: '/account/security',
    data: '/account/data',
    organizations: '/platform',
  };
}

/** Rows in the numbers of a large organization, with names of different lengths and scripts. */
async function fillOrganization(stage: AccountsStage, project: string): Promise<void> {
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

/** A project with one folder. */
async function createProject(port: number, account: { readonly email: string; readonly password: string }) {
  const signedIn = await send(port, '/api/auth/token', { json: grantOf(account) });
  const headers = { authorization: `Bearer ${signedIn.json<{ access_token: string }>().access_token}` };
  const make = async (path: string, json: object): Promise<string> =>
    String((await send(port, path, { method: 'POST', headers, json })).json<{ id: unknown }>().id);
  const project = await make('/api/v1/projects', { name: 'Field research 实地考察' });
  const folder = await make(`/api/v1/projects/${project}/folders`, { name: 'Consent forms' });
  return { project, folder };
}

const looks = [390, 820, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport: { width, height: 900 }, colorScheme })),
);

/** Whether the page scrolls sideways, and texts that are cut without an ellipsis. */
const faultsOfLayout = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []),
  ...[...document.querySelectorAll('main a, main button, main h1, main h2, main th, main td, main label, nav a')]
    .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1
      && getComputedStyle(one).overflowX !== 'visible' && getComputedStyle(one).textOverflow !== 'ellipsis')
    .map((one) => 'cut: ' + one.textContent.trim().slice(0, 60)),
]`;

/** Pictures of console pages at three widths, in both themes and languages, for review. */
export async function takeConsolePictures(
  browser: Browser,
  folder: string,
  state: ConsoleState,
): Promise<void> {
  const stage = await openAccountsStage();
  const files = mkdtempSync(join(tmpdir(), 'daybook-pictures-'));
  try {
    const { port } = await stage.start({
      signInsUnlimited: true,
      settings: { DAYBOOK_STORAGE_FOLDER: files },
    });
    const { account } = await seedPictureWorld(stage);
    const made = await createProject(port, account);
    if (state === 'full') await fillOrganization(stage, made.project);
    const origin = `http://localhost:${port}`;
    const first = await browser.newContext();
    await signInOnPage(first, origin, account);
    const { cookies } = await first.storageState();
    const session = cookies.find(({ name }) => name.includes('session'));
    if (session === undefined) throw new Error('no session');
    for (const language of ['en', 'zh'])
      for (const look of looks) {
        const context = await browser.newContext(look);
        await context.addCookies([
          ...cookies,
          { ...session, name: session.name.replace('session', 'language'), value: language },
        ]);
        const page = await context.newPage();
        for (const [name, path] of Object.entries(pagesOf(made.project, made.folder))) {
          await page.goto(origin + path);
          const file = `${state}-${name}-${look.viewport.width}-${look.colorScheme}-${language}.png`;
          for (const fault of await page.evaluate<readonly string[]>(faultsOfLayout))
            console.log(`${name} ${look.viewport.width} ${language}: ${fault}`);
          await page.screenshot({ path: join(folder, file), fullPage: true });
        }
        await context.close();
      }
  } finally {
    await stage.stop();
    rmSync(files, { recursive: true, force: true });
  }
}
