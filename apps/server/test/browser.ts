import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AxeResults } from 'axe-core';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

/** The first one found. The headless shell is the same engine without a window: it opens a page in a quarter of the time. */
const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const executablePath = places.find((place) => place !== undefined && existsSync(place));

/** Why the tests in a real browser are skipped here; null where they run. */
export const noBrowser: string | null =
  executablePath === undefined
    ? 'no Chromium is installed: install Debian’s chromium-headless-shell or chromium, or name one in CHROMIUM'
    : null;
if (noBrowser !== null) process.emitWarning(`browser tests are skipped: ${noBrowser}`);

/** The program itself, for tests that start and kill it themselves. */
export function browserProgram(): { readonly executablePath: string; readonly args: readonly string[] } {
  if (executablePath === undefined) throw new Error(noBrowser ?? '');
  // As root, which tests in a container often use, its sandbox does not start; it opens only Daybook's pages.
  return { executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
}

/** With a host name for a server on loopback, where its address must be known before its port is. */
export function launchBrowser(named?: { readonly host: string; readonly port: number }): Promise<Browser> {
  const { args, ...program } = browserProgram();
  const names =
    named === undefined ? [] : [`--host-resolver-rules=MAP ${named.host} 127.0.0.1:${named.port}`];
  return chromium.launch({ ...program, args: [...args, ...names] });
}

/** A browser that stores what pages store in a folder, so that the next one with this folder continues with it. */
export function launchLastingBrowser(folder: string): Promise<BrowserContext> {
  const { args, ...program } = browserProgram();
  return chromium.launchPersistentContext(folder, { ...program, args: [...args] });
}

export const looks = {
  'phone-light': { viewport: { width: 360, height: 780 }, colorScheme: 'light' },
  'phone-dark': { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
  'desktop-light': { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  'desktop-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
} as const satisfies Record<string, Parameters<Browser['newContext']>[0]>;

export interface ListeningProgram {
  readonly port: number;
  /** The queries of the callbacks so far. */
  readonly callbacks: readonly URLSearchParams[];
  readonly stop: () => Promise<void>;
}

/** A program on this machine that waits for its code, with a listener in 49152..65535. */
export async function startListeningProgram(): Promise<ListeningProgram> {
  const callbacks: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://localhost');
    if (address.pathname === '/callback') callbacks.push(address.searchParams);
    response.setHeader('content-type', 'text/html').end('<title>Received</title><h1>Received</h1>');
  });
  // Both families: `localhost` may be either.
  for (let port = 49_152 + (process.pid % 10_000); ; port += 1) {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, () => resolve(true));
    if (await promise) break;
  }
  return {
    port: (server.address() as AddressInfo).port,
    callbacks,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Signs in through the form. */
export async function signInOnPage(
  context: BrowserContext,
  origin: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/auth/signin`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${origin}/account`);
  await page.close();
}

/** A virtual device of Chromium that creates and uses passkeys. Returns how many it has. */
export async function giveAuthenticator(page: Page): Promise<() => Promise<number>> {
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => (await device.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
}

/** Counts pointer clicks over all pages of a tab: without a pointer, Enter clicks a button. */
export const countClicks = `addEventListener('click', ({ detail }) => {
  if (detail > 0) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, { capture: true })`;

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Ends with the last finite animation of the page. */
const settled = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)).then(() => {})`;

/** The violations of WCAG 2.2 AA that axe finds in the current page, and whether it scrolls sideways. */
export async function accessibilityFaults(
  page: Page,
  rules: readonly string[] = everyRule,
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  // A dialog that still fades in has less contrast.
  await page.evaluate(settled);
  const sideways = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  const faults = await page.evaluate(async (runOnly) => {
    const run = (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe;
    const { violations } = await run.run({ runOnly, resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
  }, rules);
  return sideways ? [...faults, 'the page must be scrolled sideways'] : faults;
}

/** Checks the current page in each theme. In the dark theme, only its colours differ. */
export async function accessibilityFaultsInEveryLook(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [name, { viewport, colorScheme }] of Object.entries(looks)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'dark' ? ['color-contrast'] : everyRule;
    for (const fault of await accessibilityFaults(page, rules)) faults.push(`${name}: ${fault}`);
  }
  return faults;
}
