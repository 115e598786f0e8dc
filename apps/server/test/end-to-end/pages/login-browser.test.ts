import { describe, expect, test } from 'vitest';

import { accessibilityFaults, launchBrowser, noBrowser } from '../../browser.ts';
import { startTestIdentity } from '../../identity.ts';
import { openLoginTerminal, printedAddress } from '../../login-terminal.ts';

describe.skipIf(noBrowser !== null)('in a real browser', () => {
  test('daybook login: from the terminal to the sign-in page and back, and the session works', async () => {
    const stage = await startTestIdentity({ pages: true, authUrl: 'http://localhost' });
    const account = await stage.createAccount();
    const origin = `http://localhost:${stage.app.port}`;
    const terminal = await openLoginTerminal(origin);
    const browser = await launchBrowser();
    try {
      const command = terminal.start('login --no-browser');
      const page = await browser.newPage();
      await page.goto((await printedAddress(command)).href);
      await page.getByLabel('E-mail address').fill(account.email);
      await page.getByLabel('Password').fill(account.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await command.ended).toMatchObject({ code: 0, error: '' });
      expect((await terminal.run('whoami')).out).toBe(
        `Member 1 <${account.email}>, owner, at ${origin}\n  team-1  Team 1, owner\n`,
      );
    } finally {
      await browser.close();
      await terminal.remove();
      await stage.stop();
    }
  });
});
