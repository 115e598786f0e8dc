import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { grantOf, openAccountsStage, send } from '../apps/server/test/accounts-stage.ts';
import type { launchBrowser } from '../apps/server/test/browser.ts';
import { signInOnPage } from '../apps/server/test/browser.ts';
import { fillOrganization } from '../apps/server/test/full-organization.ts';
import { seedPictureWorld } from './picture-world.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

export const consoleStates = ['new', 'full'] as const;
export type ConsoleState = (typeof consoleStates)[number];

const organization = 'morning';
const home = `/platform/${organization}`;

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
    if (state === 'full') await fillOrganization(stage, { organization, project: made.project });
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
