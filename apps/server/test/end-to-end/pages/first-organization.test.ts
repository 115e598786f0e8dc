import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestOrganization } from '../../access.ts';
import { startTestAccess } from '../../access.ts';
import {
  accessibilityFaultsInEveryLook,
  countClicks,
  giveAuthenticator,
  launchBrowser,
  looks,
  noBrowser,
  signInOnPage,
} from '../../browser.ts';

const run = promisify(execFile);
const host = 'organizations.localhost';
const origin = `http://${host}`;

let stage: TestAccess;
let browser: Browser;
let curlHome: string;

/** Operates a page: with a pointer, or with the keyboard alone. */
interface Hand {
  readonly page: Page;
  readonly follow: (name: string) => Promise<void>;
  readonly press: (name: string) => Promise<void>;
  readonly fill: (label: string, text: string) => Promise<void>;
  /** A check box or a radio button. */
  readonly choose: (label: string) => Promise<void>;
  /** On an intermediate page. */
  readonly look: () => Promise<void>;
}

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

function pointer(page: Page): Hand {
  const press = (role: 'link' | 'button', name: string): Promise<void> =>
    page.getByRole(role, { name, exact: true }).first().click();
  return {
    page,
    follow: async (name) => {
      const link = page.getByRole('link', { name, exact: true });
      const more = page.getByRole('button', { name: 'More', exact: true });
      await link.or(more).first().waitFor();
      // The bar of phones has the first links.
      if (!(await link.first().isVisible())) await more.click();
      await link.first().click();
    },
    press: (name) => press('button', name),
    fill: async (label, text) => {
      const target = page.getByLabel(label, { exact: true });
      // The first field of a dialog has the focus.
      if (!(await isFocused(target))) await target.click();
      await page.keyboard.type(text);
    },
    choose: (label) => page.getByLabel(label).click(),
    look: async () => {},
  };
}

const tabsMax = 80;

function keyboard(page: Page): Hand {
  const tabTo = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let tabs = 0; tabs < tabsMax; tabs += 1) {
      if (await isFocused(target)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${tabsMax} presses of Tab do not lead to ${String(target)}`);
  };
  const enter = async (role: 'link' | 'button', name: string): Promise<void> => {
    await tabTo(page.getByRole(role, { name, exact: true }).first());
    await page.keyboard.press('Enter');
  };
  return {
    page,
    follow: (name) => enter('link', name),
    press: (name) => enter('button', name),
    fill: async (label, text) => {
      await tabTo(page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    },
    choose: async (label) => {
      const target = page.getByLabel(label);
      if ((await target.getAttribute('type')) === 'checkbox') {
        await tabTo(target);
        await page.keyboard.press('Space');
        return;
      }
      // In a radio group Tab focuses the chosen button, and arrows choose another.
      const name = (await target.getAttribute('name')) ?? '';
      await tabTo(page.locator(`input[name="${name}"]:checked`));
      for (let arrows = 0; arrows < 10 && !(await target.isChecked()); arrows += 1)
        await page.keyboard.press('ArrowDown');
    },
    look: async () => {
      expect([page.url(), ...(await accessibilityFaultsInEveryLook(page))]).toEqual([page.url()]);
      await page.setViewportSize(looks['desktop-light'].viewport);
    },
  };
}

interface Task {
  readonly name: string;
  /** With a pointer, a click into each field included. */
  readonly clicks: number;
  readonly from?: string;
  readonly prepare?: (organization: TestOrganization, context: BrowserContext, page: Page) => Promise<void>;
  readonly run: (hand: Hand, organization: TestOrganization, context: BrowserContext) => Promise<void>;
}

const nameOf = async ({ key }: TestOrganization): Promise<string> => {
  const [row] = await stage.database.asSuperuser('SELECT name FROM identity.organization WHERE key = $1', [
    key,
  ]);
  return String(row?.['name']);
};

/** Runs the shown command in a shell; the server's name resolves to the port of the test. */
async function runLine(line: string): Promise<string> {
  const env = { ...process.env, CURL_HOME: curlHome };
  return (await run('bash', ['-euc', line], { env })).stdout;
}

const tasks: readonly Task[] = [
  {
    name: 'a colleague is invited as viewer',
    clicks: 4,
    run: async (hand, organization) => {
      await hand.follow(await nameOf(organization));
      await hand.follow('Invite member');
      await hand.page.getByRole('heading', { name: 'Invite member' }).waitFor();
      await hand.fill('E-mail address', 'colleague@example.net');
      await hand.choose('viewer: read-only');
      await hand.press('Send invitation');
      await hand.page.getByText('Invitation sent to colleague@example.net.').waitFor();
      await hand.look();
      const open = hand.page.getByRole('row').filter({ hasText: 'colleague@example.net' });
      expect(await open.innerText()).toContain('Viewer');
    },
  },
  {
    name: 'a token is made that can only search agents, and used with the line that is shown',
    clicks: 5,
    run: async (hand, organization) => {
      await hand.follow(await nameOf(organization));
      await hand.follow('Tokens');
      await hand.page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
      await hand.look();
      await hand.follow('Create token');
      await hand.page.getByRole('heading', { name: 'Create token' }).waitFor();
      await hand.look();
      await hand.fill('Name', 'nightly');
      await hand.choose('Read agents: ');
      await hand.press('Create token');
      await hand.page.getByText('The token nightly is active.').waitFor();
      await hand.look();
      const line = await hand.page.getByLabel('Example request').inputValue();
      expect(JSON.parse(await runLine(line))).toMatchObject({ data: [] });
      const secret = await hand.page.getByLabel('Secret').inputValue();
      const headers = { authorization: `Api-Token ${secret}` };
      for (const rest of ['rbac/policies/', 'rbac/members/', 'platform/api-tokens/']) {
        const path = `/dm/api/core/${rest}?platform_key=${organization.key}`;
        expect([rest, (await stage.send('GET', path, headers)).status]).toEqual([rest, 403]);
      }
    },
  },
  {
    name: 'a group with a member and a permission is created',
    clicks: 6,
    run: async (hand, organization) => {
      await hand.follow(await nameOf(organization));
      await hand.follow('Groups');
      await hand.page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
      await hand.follow('Create group');
      await hand.page.getByRole('heading', { name: 'Create group' }).waitFor();
      await hand.look();
      await hand.fill('Name', 'Night desk');
      await hand.choose(organization.owner.username);
      await hand.choose('Read agents: ');
      await hand.press('Create group');
      await hand.page.getByRole('heading', { name: 'Night desk' }).waitFor();
      await hand.look();
      expect(await hand.page.locator('input:checked').count()).toBe(2);
    },
  },
  {
    name: 'what a token can do is found out',
    clicks: 3,
    prepare: async ({ key, owner }) => {
      const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', owner.headers, {
        platform_key: key,
        name: 'Sees members',
        actions: ['Daybook.Core/Members/read'],
        resources: [`/organizations/${key}/members`],
      });
      await stage.send('POST', '/dm/api/core/platform/api-tokens/', owner.headers, {
        username: owner.username,
        name: 'roster',
        platform_key: key,
        created: '2026-11-15T00:00:00Z',
        expires: '',
        mode: 'token_policies',
        policies_to_add: [policy.json()['id']],
      });
    },
    run: async (hand, organization) => {
      await hand.follow(await nameOf(organization));
      await hand.follow('Tokens');
      await hand.follow('roster');
      await hand.page.getByRole('heading', { name: 'This token can', exact: true }).waitFor();
      const can = hand.page.locator('.can > ul').first().getByRole('listitem');
      expect(await can.allInnerTexts()).toEqual(['list members']);
      await hand.look();
    },
  },
  {
    name: 'a member is removed',
    clicks: 4,
    prepare: async (organization) => {
      await organization.addMember('member');
    },
    run: async (hand, organization) => {
      await hand.follow(await nameOf(organization));
      const role = hand.page.locator('small', { hasText: /^Member$/ });
      const member = hand.page.locator('.rows > li').filter({ has: role }).getByRole('link');
      await member.waitFor();
      const name = await member.innerText();
      await hand.follow(name);
      await hand.follow(`Remove ${name}`);
      await hand.page.getByRole('heading', { name: new RegExp(`^Remove ${name}`) }).waitFor();
      await hand.look();
      const button = await hand.page.getByRole('button', { name: /^Remove / }).innerText();
      await hand.press(button);
      await hand.page.getByRole('heading', { name: 'Members' }).waitFor();
      expect(await hand.page.getByRole('link', { name, exact: true }).count()).toBe(0);
    },
  },
  {
    name: 'one signs in with a passkey',
    clicks: 2,
    from: '/auth/signin',
    prepare: async ({ owner }, context, page) => {
      await giveAuthenticator(page);
      await page.goto(`${origin}/account/passkeys`);
      await page.getByLabel('Name', { exact: true }).fill('My laptop');
      await page.getByLabel('Current password').fill(owner.password);
      await page.keyboard.press('Enter');
      await page.locator('button:focus', { hasText: 'Create passkey' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Passkey added.').waitFor();
      await context.clearCookies();
    },
    run: async (hand) => {
      await hand.follow('Sign in with a passkey');
      await hand.page.getByRole('heading', { name: 'Sign in with a passkey' }).waitFor();
      await hand.press('Use a passkey');
      await hand.page.waitForURL(`${origin}/account`);
      await hand.look();
    },
  },
  {
    name: 'one’s own data is exported',
    clicks: 4,
    run: async (hand, { owner }) => {
      await hand.follow('Your data');
      await hand.page.getByRole('heading', { name: 'Download your data' }).waitFor();
      await hand.look();
      await hand.fill('Current password', owner.password);
      const download = hand.page.waitForEvent('download');
      await hand.press('Download my data');
      const file = await download;
      expect(file.suggestedFilename()).toBe(`daybook-${owner.username}.json`);
      const text = await readFile(await file.path(), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ profile: { email: owner.email } });
    },
  },
];

describe.skipIf(noBrowser !== null)('the first tasks in a new organization', () => {
  beforeAll(async () => {
    stage = await startTestAccess({ pages: true, authUrl: origin, baseUrl: origin });
    browser = await launchBrowser({ host, port: stage.app.port });
    curlHome = await mkdtemp(join(tmpdir(), 'daybook-curl-'));
    const config = `silent\nshow-error\nfail-with-body\nconnect-to = "::127.0.0.1:${stage.app.port}"\n`;
    await writeFile(join(curlHome, '.curlrc'), config);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
    if (curlHome !== undefined) await rm(curlHome, { recursive: true });
  });

  /** Signed in, on the page where a task begins, before the first click. */
  async function begin(
    look: keyof typeof looks,
    { from = '/account', prepare }: Task,
  ): Promise<{ organization: TestOrganization; context: BrowserContext; page: Page }> {
    stage.clock.advance({ minutes: 1 });
    const organization = await stage.createOrganization();
    const context = await browser.newContext(looks[look]);
    await context.addInitScript(countClicks);
    await signInOnPage(context, origin, organization.owner);
    const page = await context.newPage();
    await prepare?.(organization, context, page);
    stage.age();
    await page.goto(origin + from);
    await page.evaluate('delete sessionStorage.clicks');
    return { organization, context, page };
  }

  describe.each(tasks)('$name', (task) => {
    test(`with ${task.clicks} clicks, on a phone in the dark`, async () => {
      const { organization, context, page } = await begin('phone-dark', task);
      await task.run(pointer(page), organization, context);
      expect(await page.evaluate('Number(sessionStorage.clicks)')).toBe(task.clicks);
      await context.close();
    }, 120_000);

    test('work by the keyboard alone, on pages without accessibility violations in any theme', async () => {
      const { organization, context, page } = await begin('desktop-light', task);
      await task.run(keyboard(page), organization, context);
      expect(await page.evaluate('Number(sessionStorage.clicks ?? 0)')).toBe(0);
      await context.close();
    }, 240_000);
  });
});
