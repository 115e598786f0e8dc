import type { Browser } from 'playwright-core';

import { launchBrowser } from './browser.ts';
import type { MailedIdentity } from './mailed-identity.ts';
import { startMailedIdentity } from './mailed-identity.ts';

export interface MailedBrowser {
  readonly stage: MailedIdentity;
  readonly browser: Browser;
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** The pages with real mail, whose links open in a real browser. */
export async function startMailedBrowser(): Promise<MailedBrowser> {
  const stage = await startMailedIdentity({
    pages: true,
    authUrl: 'http://localhost',
    linksTo: (port) => `http://localhost:${port}`,
  });
  const browser = await launchBrowser();
  return {
    stage,
    browser,
    origin: `http://localhost:${stage.app.port}`,
    stop: async () => {
      await browser.close();
      await stage.stop();
    },
  };
}
