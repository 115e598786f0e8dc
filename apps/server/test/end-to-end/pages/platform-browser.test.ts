import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../access.ts';
import { startTestAccess } from '../../access.ts';
import { accessibilityFaults, launchBrowser, looks, noBrowser, signInOnPage } from '../../browser.ts';

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

  test('an owner makes a policy and a token with it; the token may do that and nothing else', async () => {
    const page = await open(owner, 'policies');
    await page.getByLabel('Name').fill('Readers of agents');
    await page.getByLabel('Actions').fill('Daybook.Agents/Agents/read');
    await page
      .getByLabel('Resources')
      .fill(`/organizations/${organization.key}/agents\n/organizations/${organization.key}/agents/**`);
    await press(page, 'Make policy');
    await page.getByRole('heading', { name: 'Readers of agents' }).waitFor();
    await page.goto(`${origin}/platform/${organization.key}/tokens`);
    await page.getByLabel('Name').fill('nightly');
    await page.getByLabel('Mode').selectOption('token_policies');
    await page.getByLabel('1: Readers of agents').check();
    await press(page, 'Make token');
    const secret = await page.getByLabel('Its secret').inputValue();
    const headers = { authorization: `Api-Token ${secret}` };
    const agents = `/dm/api/search/orgs/${organization.key}/users/${organization.owner.username}/mentors/`;
    expect((await stage.send('GET', agents, headers)).status).toBe(200);
    const policies = `/dm/api/core/rbac/policies/?platform_key=${organization.key}`;
    expect((await stage.send('GET', policies, headers)).status).toBe(403);
    await page.goto(`${origin}/platform/${organization.key}/tokens/nightly`);
    expect(await page.content()).not.toContain(secret);
    expect(await page.getByLabel('1: Readers of agents').isChecked()).toBe(true);
    await press(page, 'Delete token');
    await page.getByText('There are no tokens yet.').waitFor();
    stage.age();
    expect((await stage.send('GET', agents, headers)).status).toBe(401);
  });

  test('a group gives a member what its policies allow', async () => {
    const page = await open(owner, 'policies');
    await page.getByLabel('Name').fill('Policy keepers');
    await page.getByLabel('Actions').fill('Daybook.Core/Policies/*');
    await page
      .getByLabel('Resources')
      .fill(`/organizations/${organization.key}/policies\n/organizations/${organization.key}/policies/*`);
    await press(page, 'Make policy');
    await page.goto(`${origin}/platform/${organization.key}/groups`);
    await page.getByLabel('Name').fill('Keepers');
    await press(page, 'Make group');
    await page.getByLabel(member.username).check();
    await page.getByLabel('Policy keepers').check();
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const theirs = await open(await signedIn(member), 'policies');
    expect(await theirs.getByRole('link', { name: 'Policy keepers' }).isVisible()).toBe(true);
  });

  test('whoever would give more than they hold is told which pairs, and nothing is given', async () => {
    const admin = await organization.addMember('admin');
    const page = await open(owner, 'policies');
    await page.getByLabel('Name').fill('Everything');
    await page.getByLabel('Actions').fill('Daybook.**');
    await page
      .getByLabel('Resources')
      .fill(`/organizations/${organization.key}\n/organizations/${organization.key}/**`);
    await press(page, 'Make policy');
    const theirs = await open(await signedIn(admin), 'tokens');
    await theirs.getByLabel('Name').fill('too-much');
    await theirs.getByLabel('Mode').selectOption('token_policies');
    await theirs.getByLabel('Everything').check();
    await press(theirs, 'Make token');
    expect(await theirs.getByRole('alert').innerText()).toMatch(/More than you may give.*Daybook\.\*\*/);
    expect(await theirs.getByText('There are no tokens yet.').isVisible()).toBe(true);
  });

  test('a member makes an agent from a template and changes its settings', async () => {
    const page = await open(await signedIn(member), 'agents');
    await page.getByLabel('Name').fill('芯片 Watch');
    await press(page, 'Make agent');
    await page.getByRole('heading', { name: '芯片 Watch' }).waitFor();
    await page.getByLabel('Description').fill('');
    await page.getByLabel('Teaching').uncheck();
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('');
    expect(await page.getByLabel('Teaching').isChecked()).toBe(false);
  });

  test('strangers are told that there is nothing', async () => {
    const stranger = await stage.createOrganization();
    const page = await open(await signedIn(stranger.owner), 'tokens');
    expect(await page.getByRole('alert').innerText()).toMatch(/there is nothing here/i);
  });

  test.each(Object.entries(looks))('the pages have no fault of accessibility: %s', async (_name, look) => {
    const context = await browser.newContext(look);
    stage.clock.advance({ minutes: 1 });
    await signInOnPage(context, origin, organization.owner);
    for (const rest of ['tokens', 'policies', 'policies/1', 'groups', 'groups/1', 'agents']) {
      const page = await open(context, rest);
      expect([rest, ...(await accessibilityFaults(page))]).toEqual([rest]);
      await page.close();
    }
  });
});
