import type { SuiteContext } from '@daybook/evidence';

import type { Surface } from '../../../apps/server/src/foundation/http/surface.ts';
import { accountPages, platformPages } from '../../../apps/server/src/site/index.ts';
import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import type { launchBrowser } from '../../../apps/server/test/browser.ts';
import { accessibilityFaults, looks } from '../../../apps/server/test/browser.ts';
import { cookieOf, signInOnForm } from '../attacks/page-attacks.ts';
import { fileStorage, fillFiles } from './file-views.ts';
import { missingActions, unreached } from './page-use.ts';

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

const desktop = { viewport: { width: 1440, height: 900 }, timezoneId: 'Asia/Shanghai' } as const;

/** How else people use a page than with a pointer, script and the usual colours. */
const ways = {
  'at 200 % zoom': { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
  'in forced colours': { ...desktop, forcedColors: 'active' },
  'with reduced motion': { ...desktop, reducedMotion: 'reduce' },
  'with the keyboard': desktop,
  'without script': { ...desktop, javaScriptEnabled: false },
} as const satisfies Record<string, Parameters<Browser['newContext']>[0]>;

/** Names of animations that still run, or would run for longer than a frame. */
const moving = `document.getAnimations().filter(({ effect }) => effect.getComputedTiming().activeDuration > 20)
  .map((one) => one.animationName ?? one.transitionProperty)`;

/** Each page in each way, in the language of the cookies; in a quick run every eighth page. */
async function proveWays(
  context: SuiteContext,
  browser: Browser,
  addresses: readonly string[],
  cookies: readonly { readonly name: string; readonly value: string; readonly url: string }[],
): Promise<void> {
  const faults = new Map(Object.keys(ways).map((way) => [way, [] as string[]]));
  const scripted = await browser.newContext(desktop);
  await scripted.addCookies([...cookies]);
  const reference = await scripted.newPage();
  const checks: Record<keyof typeof ways, (page: Page, address: string) => Promise<readonly string[]>> = {
    'at 200 % zoom': (page) => accessibilityFaults(page),
    // The browser chooses the colours; axe compares those of the style sheet.
    'in forced colours': async (page) =>
      (await accessibilityFaults(page)).filter((fault) => !fault.startsWith('color-contrast')),
    'with reduced motion': (page) => page.evaluate<readonly string[]>(moving),
    'with the keyboard': unreached,
    'without script': async (page, address) => {
      await reference.goto(address);
      return missingActions(reference, page);
    },
  };
  for (const [way, options] of Object.entries(ways)) {
    const tab = await browser.newContext(options);
    await tab.addCookies([...cookies]);
    const page = await tab.newPage();
    for (const [index, address] of addresses.entries()) {
      if (context.quick && index % 8 !== 0) continue;
      await page.goto(address);
      const found = await checks[way as keyof typeof ways](page, address);
      faults.get(way)?.push(...found.map((fault) => `${way} ${address}: ${fault}`));
    }
    await tab.close();
  }
  await scripted.close();
  for (const [way, list] of faults) {
    for (const line of list.slice(0, 12)) context.note(line);
    context.figure({
      name: `faults of console pages ${way}`,
      value: list.length,
      unit: 'faults',
      goal: { exactly: 0 },
    });
  }
}

interface ConsoleFaults {
  readonly html: string[];
  readonly axe: string[];
}

interface SignedInSite {
  readonly origin: string;
  /** Of the cookie of the session. */
  readonly name: string;
  readonly value: string;
  readonly addresses: readonly string[];
  readonly files: readonly string[];
}

/** Each page in each look and language; returns the pages that exist. */
async function proveLooks(
  context: SuiteContext,
  browser: Browser,
  { origin, name, value, addresses, files }: SignedInSite,
  {
    htmlFaults,
    faults,
  }: { readonly htmlFaults: (text: string) => Promise<readonly string[]>; readonly faults: ConsoleFaults },
): Promise<{ readonly opened: ReadonlySet<string>; readonly views: number }> {
  const opened = new Set<string>();
  let views = 0;
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
        opened.add(address);
        const where = `${look} ${language} ${address}`;
        faults.html.push(...(await htmlFaults(await answer.text())).map((fault) => `${where}: ${fault}`));
        await page.goto(origin + address);
        faults.axe.push(...(await accessibilityFaults(page)).map((fault) => `${where}: ${fault}`));
      }
      const found = await previewFaults(page, origin + (files[1] ?? ''));
      faults.axe.push(...found.map((fault) => `${look} ${language} ${fault}`));
      await tab.close();
    }
  return { opened, views };
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
    const site = { origin, name, value, addresses, files };
    const seen = await proveLooks(context, browser, site, { htmlFaults, faults });
    views = seen.views;
    await proveWays(
      context,
      browser,
      [...seen.opened].map((address) => origin + address),
      [{ name, value, url: origin }],
    );
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
