import type { launchBrowser } from '../../../apps/server/test/browser.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newPage']>>;

/** What only a script can do: save on the device, and count what is new there. */
const ofScript = 'main :is([data-device], [data-new-items])';

/** What a person reads in Shanghai, where times stay as they are; buttons to copy come with the script. */
export async function readable(page: Page): Promise<string> {
  const added = new Set(['', 'Copy', '复制']);
  for (const text of await page.locator(ofScript).allInnerTexts())
    for (const line of text.split('\n')) added.add(line);
  const text = await page.locator('main').innerText();
  return text
    .split('\n')
    .filter((line) => !added.has(line))
    .join('\n');
}

/** Marks all focusable elements of the page, or of its open dialog; returns their number. */
const markUsable = `(() => {
  const within = document.querySelector('dialog:modal') ?? document;
  const usable = [...within.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
    (element) => element.checkVisibility() && !element.disabled,
  );
  for (const [index, element] of usable.entries()) element.dataset.usable = index;
  return usable.length;
})()`;

/** The marks of the focused element, and of the others of its group of radio buttons, which arrow keys reach. */
const focused = `(() => {
  const { activeElement: element } = document;
  const group = element?.type === 'radio'
    ? [...document.querySelectorAll('input[type=radio]')].filter((one) => one.name === element.name && one.form === element.form)
    : [element];
  return group.flatMap((one) => one?.dataset.usable ?? []);
})()`;

/** Presses Tab until every element had the focus, or well past a full cycle; returns the missed ones. */
export async function unreached(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate<number>(markUsable);
  const reached = new Set<string>();
  // Code that is wider than its box is a stop as well, so that it can be scrolled.
  for (let press = 0; press < 2 * count + 20 && reached.size < count; press += 1) {
    await page.keyboard.press('Tab');
    for (const stop of await page.evaluate<readonly string[]>(focused)) reached.add(stop);
  }
  const missed: string[] = [];
  for (let index = 0; index < count; index += 1) {
    if (reached.has(String(index))) continue;
    missed.push(
      await page.evaluate<string>(
        `document.querySelector('[data-usable="${index}"]').outerHTML.slice(0, 80)`,
      ),
    );
  }
  return missed;
}

/** Where the page leads and what its forms do. */
const actions = `[...new Set([
  ...[...document.querySelectorAll('a[href]')].map(({ href }) => href),
  ...[...document.forms].map(({ method, action }) => method + ' ' + action),
  ...[...document.querySelectorAll('[formaction]')].map(({ formAction }) => 'post ' + formAction),
])]`;

/** What can be done on the first page and not on the second. */
export async function missingActions(complete: Page, other: Page): Promise<readonly string[]> {
  const has = new Set(await other.evaluate<readonly string[]>(actions));
  return (await complete.evaluate<readonly string[]>(actions)).filter((action) => !has.has(action));
}
