import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { AccountsStage } from '../apps/server/test/accounts-stage.ts';
import { openAccountsStage } from '../apps/server/test/accounts-stage.ts';
import { launchBrowser, looks, signInOnPage } from '../apps/server/test/browser.ts';
import { consoleStates, takeConsolePictures } from './console-pictures.ts';
import { newsStates, takeNewsPictures } from './news-pictures.ts';
import { seedPictureWorld, seedSharedFolder } from './picture-world.ts';
import type { PictureWorld } from './picture-world.ts';

// Renews the pictures of the documentation, or takes pictures for a review: see --help.
type Look = keyof typeof looks;
type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

interface Scene {
  readonly name: string;
  readonly path: (world: PictureWorld & { readonly folder: string }) => string;
  readonly signedIn?: boolean;
  /** Actions on the page before the picture. */
  readonly act?: (page: Page, world: PictureWorld) => Promise<void>;
  /** Its theme in the documentation. */
  readonly shown?: readonly Look[];
}

const program = '/auth/signin?source=api&port=50000';
const scenes: readonly Scene[] = [
  { name: 'sign-in', path: () => '/auth/signin', shown: ['phone-light', 'desktop-dark'] },
  {
    name: 'sign-in-refused',
    path: () => program,
    act: async (page) => {
      await page.getByLabel('E-mail address').fill('nobody@example.org');
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
  },
  { name: 'confirm-program', path: () => program, signedIn: true, shown: ['desktop-light', 'phone-dark'] },
  { name: 'sign-up', path: () => '/auth/signup' },
  {
    name: 'sign-up-refused',
    path: () => '/auth/signup',
    act: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('林徽因');
      await page.getByLabel('Username').fill('Lin Huiyin');
      await page.getByLabel('E-mail address').fill('lin@example.org');
      await page.getByLabel('Password').fill('a long password');
      await page.getByRole('button', { name: 'Create account' }).click();
    },
  },
  {
    name: 'sign-up-sent',
    path: () => '/auth/forgot',
    act: async (page) => {
      await page.getByLabel('E-mail address').fill('nobody@example.org');
      await page.getByRole('button', { name: 'Send link' }).click();
    },
  },
  { name: 'confirm-address', path: ({ signUp }) => `/auth/confirm?token=${signUp}` },
  { name: 'forgot', path: () => '/auth/forgot' },
  { name: 'reset', path: ({ reset }) => `/auth/reset?token=${reset}` },
  { name: 'dead-link', path: () => '/auth/reset?token=x' },
  { name: 'join', path: ({ invitation }) => `/auth/join?token=${invitation}` },
  {
    name: 'join-refused',
    path: ({ invitation }) => `/auth/join?token=${invitation}`,
    act: async (page) => {
      await page.getByLabel('Username').fill('ada');
      await page.getByLabel('Password').fill('a long password');
      await page.getByRole('button', { name: 'Create account and join' }).click();
    },
  },
  { name: 'join-signed-in', path: ({ invitation }) => `/auth/join?token=${invitation}`, signedIn: true },
  { name: 'organizations', path: () => '/platform', signedIn: true },
  { name: 'organization-audit', path: () => '/platform/morning/audit', signedIn: true },
  { name: 'organization-delete', path: () => '/platform/morning/delete', signedIn: true },
  { name: 'overview', path: () => '/account', signedIn: true },
  { name: 'end-everything', path: () => '/account/security/end-all', signedIn: true },
  {
    name: 'sessions',
    path: () => '/account/security',
    signedIn: true,
    shown: ['desktop-light', 'phone-dark'],
  },
  {
    name: 'api-key',
    path: () => '/account/api-keys?new=1',
    signedIn: true,
    act: async (page, { account }) => {
      await page.getByLabel('Name', { exact: true }).fill('nightly mirror 夜间镜像');
      await page.getByLabel('Current password').fill(account.password);
      await page.getByRole('button', { name: 'Create key' }).click();
    },
    shown: ['phone-light', 'desktop-dark'],
  },
  { name: 'password', path: () => '/account/password', signedIn: true },
  { name: 'organization', path: () => '/account/organization', signedIn: true },
  {
    name: 'share',
    path: ({ folder }) => `/platform/morning/folders/${folder}/share`,
    signedIn: true,
    act: (page) => page.getByRole('button', { name: 'Create link' }).click(),
  },
  {
    name: 'share-refused',
    path: ({ folder }) => `/platform/morning/folders/${folder}/share`,
    signedIn: true,
    act: async (page) => {
      await page.getByLabel('Recipient').fill('huiyi');
      await page.getByRole('button', { name: 'Share', exact: true }).click();
    },
  },
  { name: 'shared-with-me', path: () => '/platform/morning/shared', signedIn: true },
  { name: 'activity', path: () => '/account/activity', signedIn: true },
];

async function takePictures(
  stage: AccountsStage,
  browser: Browser,
  { folder, files }: { readonly folder: string; readonly files: string },
  isEvery: boolean,
): Promise<void> {
  const settings = { DAYBOOK_STORAGE_FOLDER: files };
  const { port } = await stage.start({ signInsUnlimited: true, settings });
  const origin = `http://localhost:${port}`;
  const seeded = await seedPictureWorld(stage);
  const world = { ...seeded, folder: await seedSharedFolder(port, seeded.account) };
  const door = await browser.newContext();
  await signInOnPage(door, origin, world.account);
  const storageState = await door.storageState();
  for (const [look, options] of Object.entries(looks)) {
    const visitor = await browser.newContext(options);
    const member = await browser.newContext({ ...options, storageState });
    for (const { name, path, signedIn = false, act, shown = [] } of scenes) {
      if (!isEvery && !shown.includes(look as Look)) continue;
      const page = await (signedIn ? member : visitor).newPage();
      await page.goto(`${origin}${path(world)}`);
      await act?.(page, world);
      await page.waitForLoadState();
      const file = `${folder}/${name}-${look}.png`;
      await page.screenshot({ path: file, fullPage: true });
      if (!isEvery) compress(file);
      await page.close();
    }
    await Promise.all([visitor.close(), member.close()]);
  }
}

/** A picture of a page has few colours: with 64 of them it is a third of the size. */
function compress(file: string): void {
  try {
    execFileSync('pngquant', ['--force', '--speed', '1', '--strip', '--output', file, '64', file]);
  } catch (error) {
    throw new Error('the pictures of the documentation need pngquant: install Debian’s', { cause: error });
  }
}

const { values } = parseArgs({
  options: {
    every: { type: 'string' },
    only: { type: 'string' },
    state: { type: 'string' },
    console: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`npm run pictures -- [--every <folder>] [--only news|accounts] [--state <state>] [--console <state>]

  Renews the pictures of the documentation in docs/pictures.
  --every    pictures of every page in every size and theme, in this folder
  --only     the pages of the news, or those of accounts
  --state    the installation that the news pages show: ${newsStates.join(', ')}
  --console  with --every: the pages of the console instead, ${consoleStates.join(' or ')}`);
  process.exit(0);
}
const state = newsStates.find((one) => one === (values.state ?? 'month'));
if (state === undefined) throw new Error(`--state is one of ${newsStates.join(', ')}`);
const consoleState = consoleStates.find((one) => one === values.console);
if (consoleState === undefined && values.console !== undefined)
  throw new Error(`--console is one of ${consoleStates.join(', ')}`);
if (consoleState !== undefined && values.every === undefined)
  throw new Error('--console needs --every <folder>');
const folder = values.every ?? fileURLToPath(new URL('../docs/pictures/', import.meta.url));
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
try {
  if (consoleState !== undefined) await takeConsolePictures(browser, folder, consoleState);
  if (consoleState === undefined && values.only !== 'accounts') {
    const files = await takeNewsPictures(browser, folder, values.every !== undefined, state);
    if (values.every === undefined) for (const file of files) compress(file);
  }
  if (consoleState === undefined && values.only !== 'news')
    await takeAccountPictures(browser, folder, values.every !== undefined);
} finally {
  await browser.close();
}

async function takeAccountPictures(browser: Browser, folder: string, isEvery: boolean): Promise<void> {
  const stage = await openAccountsStage();
  const files = mkdtempSync(join(tmpdir(), 'daybook-pictures-'));
  try {
    await takePictures(stage, browser, { folder, files }, isEvery);
  } finally {
    await stage.stop();
    rmSync(files, { recursive: true, force: true });
  }
}
