import type { SuiteContext } from '@daybook/evidence';

import type { Surface } from '../../../apps/server/src/foundation/http/surface.ts';
import { accountPages, platformPages } from '../../../apps/server/src/site/index.ts';
import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import type { launchBrowser } from '../../../apps/server/test/browser.ts';
import { accessibilityFaults, looks } from '../../../apps/server/test/browser.ts';
import { cookieOf, signInOnForm } from '../attacks/page-attacks.ts';
import { fileStorage, fillFiles } from './file-views.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;
type Stage = Awaited<ReturnType<typeof openAccountsStage>>;

const anonymous: Surface = { name: 'anonymous', cors: null, admit: null, problems: [] };
const organizationOf = ({ email }: StageAccount): string => email.replace(/@.*/, '');

/** The addresses of the account and of its organization, with and without a dialog. */
function addressesOf({ identity, access }: Stage, account: StageAccount): readonly string[] {
  const routes = [
    ...accountPages(identity, anonymous),
    ...platformPages(identity, access, anonymous, null),
  ].filter(({ method, path }) => method === 'GET' && path !== '/console/components');
  const key = organizationOf(account);
  return routes.flatMap(({ path }) => {
    const address = path
      .replace('{org}', key)
      .replace('{id}', account.id)
      .replace('{number}', '1')
      .replace('{username}', key)
      .replace('{name}', 'none');
    return [address, `${address}?new=1`];
  });
}

/** A group and a policy, so that their pages exist. */
async function fill(port: number, account: StageAccount, cookie: string): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  const here = `/platform/${organizationOf(account)}`;
  await send(port, `${here}/groups`, { form: { name: 'Readers' }, headers });
  const policy = { name: 'Read agents', can: 'Daybook.Agents/Agents/read' };
  await send(port, `${here}/policies`, { form: policy, headers });
}

/** Of the pages that show what an action on selected entries will do. */
async function previewFaults(page: Page, project: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const action of ['move', 'copy', 'delete']) {
    await page.goto(project);
    await page.locator('td.pick input').first().check();
    await page.locator(`[formaction$="/selection/${action}"]`).click();
    const found = await accessibilityFaults(page);
    faults.push(...found.map((fault) => `preview of ${action}: ${fault}`));
  }
  return faults;
}

/** Every console page of an owner: in one look and language each in a quick run, in all of them otherwise. */
export async function proveConsole(
  context: SuiteContext,
  browser: Browser,
  htmlFaults: (text: string) => Promise<readonly string[]>,
): Promise<void> {
  const faults = { html: [] as string[], axe: [] as string[] };
  let views = 0;
  const storage = fileStorage();
  const stage = await openAccountsStage();
  try {
    const { port } = await stage.start({ signInsUnlimited: true, settings: storage.settings });
    const [account] = await stage.createAccounts(1);
    if (account === undefined) throw new Error('no account');
    const cookie = cookieOf(await signInOnForm(port, account));
    await fill(port, account, cookie);
    const files = await fillFiles(port, organizationOf(account), cookie);
    const addresses = [...addressesOf(stage, account), ...files];
    const [name = '', value = ''] = cookie.split('=');
    const origin = `http://127.0.0.1:${port}`;
    for (const [at, [look, options]] of Object.entries(looks).entries())
      for (const [languageAt, language] of ['en', 'zh'].entries()) {
        const tab = await browser.newContext(options);
        const languageName = name.replace('session', 'language');
        await tab.addCookies([
          { name, value, url: origin },
          { name: languageName, value: language, url: origin },
        ]);
        const page = await tab.newPage();
        for (const [index, address] of addresses.entries()) {
          const turn = (index >> 1) % (2 * Object.keys(looks).length);
          const isFiles = files.includes(address);
          if (context.quick && turn !== 2 * at + languageAt && !(isFiles && at === 0)) continue;
          const answer = await tab.request.get(origin + address, { maxRedirects: 0 });
          if (answer.status() !== 200 || !answer.headers()['content-type']?.startsWith('text/html')) continue;
          views += 1;
          const where = `${look} ${language} ${address}`;
          faults.html.push(...(await htmlFaults(await answer.text())).map((fault) => `${where}: ${fault}`));
          await page.goto(origin + address);
          faults.axe.push(...(await accessibilityFaults(page)).map((fault) => `${where}: ${fault}`));
        }
        const found = await previewFaults(page, origin + (files[1] ?? ''));
        faults.axe.push(...found.map((fault) => `${look} ${language} ${fault}`));
        await tab.close();
      }
  } finally {
    await stage.stop();
    storage.remove();
  }
  for (const line of Object.values(faults).flatMap((of) => of.slice(0, 12))) context.note(line);
  context.figure({ name: 'console pages opened', value: views, unit: 'views', goal: { atLeast: 40 } });
  for (const [name, list] of [
    ['faults of HTML of console pages', faults.html],
    ['violations that axe-core found on console pages', faults.axe],
  ] as const)
    context.figure({ name, value: list.length, unit: 'faults', goal: { exactly: 0 } });
}
