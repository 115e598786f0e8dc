import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../access.ts';
import { startTestAccess } from '../../access.ts';
import { accessibilityFaultsInEveryLook, launchBrowser, noBrowser, signInOnPage } from '../../browser.ts';

describe.skipIf(noBrowser !== null)('the pages of an organization, in a real browser', () => {
  let stage: TestAccess;
  let organization: TestOrganization;
  let member: TestMember;
  let browser: Browser;
  let owner: BrowserContext;
  let origin: string;
  beforeAll(async () => {
    stage = await startTestAccess({ pages: true, authUrl: 'http://localhost' });
    origin = `http://localhost:${stage.app.port}`;
    organization = await stage.createOrganization();
    member = await organization.addMember('member');
    browser = await launchBrowser();
    owner = await signedIn(organization.owner);
  });
  afterAll(async () => {
    await browser.close();
    await stage.stop();
  });

  const signedIn = async (person: TestMember): Promise<BrowserContext> => {
    stage.clock.advance({ minutes: 1 });
    const context = await browser.newContext();
    await signInOnPage(context, origin, person);
    return context;
  };
  const open = async (context: BrowserContext, rest: string): Promise<Page> => {
    stage.age();
    const page = await context.newPage();
    await page.goto(`${origin}/platform/${organization.key}/${rest}`);
    return page;
  };
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  const writePolicy = async (
    page: Page,
    { name, actions, resources }: Readonly<Record<'name' | 'actions' | 'resources', string>>,
  ): Promise<void> => {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Write as text').check();
    await page.getByRole('textbox', { name: 'Actions' }).fill(actions);
    await page.getByRole('textbox', { name: 'Resources' }).fill(resources);
    await press(page, 'Create policy');
  };

  test('the summary of a policy follows each choice, and the text follows the lists', async () => {
    const page = await open(owner, 'policies?new=1');
    await page.getByText('Agents', { exact: true }).and(page.locator('summary span')).click();
    await page.getByLabel('Create agents', { exact: true }).check();
    await page.locator('.can .yes').getByText('create agents', { exact: true }).waitFor();
    await page.getByLabel('Write as text').check();
    expect(await page.getByRole('textbox', { name: 'Actions' }).inputValue()).toBe(
      'Daybook.Agents/Agents/create',
    );
    expect(await page.getByRole('button', { name: 'Preview permissions' }).count()).toBe(0);
  });

  test('an owner creates a policy and a token with it; the token can do exactly that', async () => {
    const page = await open(owner, 'policies?new=1');
    await writePolicy(page, {
      name: 'Readers of agents',
      actions: 'Daybook.Agents/Agents/read',
      resources: `/organizations/${organization.key}/agents\n/organizations/${organization.key}/agents/**`,
    });
    await page.getByRole('heading', { name: 'Readers of agents' }).waitFor();
    await page.getByText('list agents', { exact: true }).waitFor();
    await page.goto(`${origin}/platform/${organization.key}/tokens?new=1`);
    await page.getByLabel('Name', { exact: true }).fill('nightly');
    await page.getByLabel('Permissions', { exact: true }).selectOption('token_policies');
    await page.getByText('Attach existing policies or groups').click();
    await page.getByLabel('1: Readers of agents').check();
    await press(page, 'Create token');
    const secret = await page.getByLabel('Secret').inputValue();
    const headers = { authorization: `Api-Token ${secret}` };
    const [, sent = '', address = ''] =
      /^curl -H 'authorization: ([^']+)' '([^']+)'$/.exec(
        await page.getByLabel('Example request').inputValue(),
      ) ?? [];
    const tried = await stage.send('GET', new URL(address).pathname, { authorization: sent });
    expect([tried.status, tried.json()['data']]).toEqual([200, []]);
    const agents = `/dm/api/search/orgs/${organization.key}/users/${organization.owner.username}/mentors/`;
    expect((await stage.send('GET', agents, headers)).status).toBe(200);
    const policies = `/dm/api/core/rbac/policies/?platform_key=${organization.key}`;
    expect((await stage.send('GET', policies, headers)).status).toBe(403);
    await page.goto(`${origin}/platform/${organization.key}/tokens/nightly`);
    expect(await page.content()).not.toContain(secret);
    expect(await page.getByLabel('1: Readers of agents').isChecked()).toBe(true);
    await page.getByRole('link', { name: 'Delete token' }).click();
    await press(page, 'Delete nightly');
    await page.getByText('No tokens yet.').waitFor();
    stage.age();
    expect((await stage.send('GET', agents, headers)).status).toBe(401);
  });

  test('a group gives a member what its policies allow', async () => {
    const page = await open(owner, 'policies?new=1');
    await writePolicy(page, {
      name: 'Policy keepers',
      actions: 'Daybook.Core/Policies/*',
      resources: `/organizations/${organization.key}/policies\n/organizations/${organization.key}/policies/*`,
    });
    await page.goto(`${origin}/platform/${organization.key}/groups?new=1`);
    await page.getByLabel('Name', { exact: true }).fill('Keepers');
    await press(page, 'Create group');
    await page.getByLabel(member.username).check();
    await page.getByLabel('Policy keepers').check();
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const theirs = await open(await signedIn(member), 'policies');
    expect(await theirs.getByRole('link', { name: 'Policy keepers' }).isVisible()).toBe(true);
  });

  test('a member who would grant more than they have sees which pairs, and nothing is granted', async () => {
    const admin = await organization.addMember('admin');
    const page = await open(owner, 'policies?new=1');
    await writePolicy(page, {
      name: 'Everything',
      actions: 'Daybook.**',
      resources: `/organizations/${organization.key}\n/organizations/${organization.key}/**`,
    });
    const theirs = await open(await signedIn(admin), 'tokens?new=1');
    await theirs.getByLabel('Name', { exact: true }).fill('too-much');
    await theirs.getByLabel('Permissions', { exact: true }).selectOption('token_policies');
    await theirs.getByText('Attach existing policies or groups').click();
    const policy = theirs.locator('input[name=policies]').and(theirs.getByLabel('Everything'));
    await policy.check();
    await press(theirs, 'Create token');
    expect(await theirs.getByRole('alert').innerText()).toMatch(/Permission escalation.*Daybook\.\*\*/);
    expect(await theirs.getByText('No tokens yet.').count()).toBe(1);
    expect(await policy.isChecked()).toBe(true);
    expect(await theirs.getByLabel('Permissions', { exact: true }).inputValue()).toBe('token_policies');
  });

  test('a member creates an agent from a template and changes its settings', async () => {
    const page = await open(await signedIn(member), 'agents?new=1');
    await page.getByLabel('Name', { exact: true }).fill('芯片 Watch');
    await press(page, 'Create agent');
    await page.getByRole('heading', { name: '芯片 Watch' }).waitFor();
    await page.getByLabel('Description').fill('');
    await page.getByLabel('Teaching').uncheck();
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('');
    expect(await page.getByLabel('Teaching').isChecked()).toBe(false);
  });

  test('files are chosen, stored, deleted and restored by keyboard alone, on pages without accessibility violations', async () => {
    const page = await open(owner, 'projects?new=1');
    const faultless = async (): Promise<void> => {
      expect([page.url(), ...(await accessibilityFaultsInEveryLook(page))]).toEqual([page.url()]);
    };
    const enter = async (role: 'link' | 'button', name: string): Promise<void> => {
      await page.getByRole(role, { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await page.getByLabel('Name', { exact: true }).fill('Field notes');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Field notes' }).waitFor();
    const file = (name: string, bytes: number) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.alloc(bytes, 'a'),
    });
    await page.getByLabel('Files').setInputFiles([file('观察 notes.txt', 2_000_000), file('empty', 0)]);
    await page.getByRole('link', { name: '观察 notes.txt' }).waitFor();
    expect(await page.getByRole('link', { name: 'empty' }).isVisible()).toBe(true);
    await page.getByLabel('Files').setInputFiles(file('too large', 9_000_000));
    await page.getByText('too large: Quota exceeded.').waitFor();
    await faultless();
    await enter('link', '观察 notes.txt');
    await page.getByRole('heading', { name: '观察 notes.txt' }).waitFor();
    await faultless();
    const download = page.waitForEvent('download');
    await enter('link', 'Download');
    expect((await download).suggestedFilename()).toBe('观察 notes.txt');
    await page.getByText('Delete file').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Field notes' }).waitFor();
    await enter('link', 'Trash');
    await page.getByRole('heading', { name: 'Trash' }).waitFor();
    await page.getByText('Delete permanently').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Permanently delete 观察 notes.txt' }).waitFor();
    await faultless();
    await enter('button', 'Restore 观察 notes.txt');
    await page.getByRole('link', { name: '观察 notes.txt' }).waitFor();
  }, 90_000);

  test('strangers get 404', async () => {
    const stranger = await stage.createOrganization();
    const page = await open(await signedIn(stranger.owner), 'tokens');
    expect(await page.getByRole('alert').innerText()).toMatch(/not found/i);
  });

  test.each([
    '../:organization',
    'invitations',
    'projects',
    'tokens?new=1',
    'audit',
    'tokens',
    'policies',
    'policies/1',
    'groups/1',
    'agents',
    'members',
    'members/:member/remove',
    'settings',
  ])('the page %s has no accessibility violations in any theme', async (rest) => {
    const names = { ':organization': organization.key, ':member': member.username };
    const page = await open(
      owner,
      rest.replace(/:[a-z]+/, (name) => names[name as keyof typeof names]),
    );
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await page.close();
  });
});
