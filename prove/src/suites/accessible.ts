import type { Suite, SuiteContext } from '@daybook/evidence';
import type { ConfigData } from 'html-validate';
import { HtmlValidate } from 'html-validate';

import { accessibilityFaults, launchBrowser, looks, noBrowser } from '../../../apps/server/test/browser.ts';
import { requestOnce } from '../news/http-question.ts';
import { proveConsole } from '../site/console-pages.ts';
import { readable, unreached } from '../site/page-use.ts';
import type { SiteStage } from '../site/site-stage.ts';
import { inChinese, setSiteStage } from '../site/site-stage.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

export const suite: Suite = {
  name: 'accessible',
  nightly: true,
  summary:
    'Every public page passes axe-core, works with the keyboard alone and without script, fits a phone, and is valid HTML.',
  headline: 'pages opened in Chromium',
  promise:
    'On every page for readers, in both languages, on a phone and a desktop, light and dark: axe-core finds no violation, the Tab key reaches everything that can be used, without script the same can be read, nothing is wider than the screen, and the HTML is valid. On every page of accounts and organizations, in both languages: the same, also at 200 % zoom and in forced colours, and nothing moves where the reader asks for less motion.',
  measuresNoTime: true,
  run: async (context) => {
    if (noBrowser !== null) {
      context.didNotRun(noBrowser);
      return;
    }
    const stage = await setSiteStage(context.root);
    const browser = await launchBrowser();
    try {
      await provePages(context, stage, browser);
      const validator = new HtmlValidate(htmlRules);
      await proveConsole(context, browser, (text) => htmlFaults(validator, text));
    } finally {
      await browser.close();
      await stage.remove();
    }
  },
};

async function provePages(context: SuiteContext, stage: SiteStage, browser: Browser): Promise<void> {
  // The reference is as long as fifty other pages: a quick run leaves it to its own tests.
  const chosen = stage.pages.filter((path) => !context.quick || !path.startsWith('/docs/'));
  const everyPage = chosen.flatMap((path) => [path, inChinese(path)]);
  const faults = {
    html: [] as string[],
    axe: [] as string[],
    keyboard: [] as string[],
    script: [] as string[],
  };
  const validator = new HtmlValidate(htmlRules);
  const validatedPages = context.quick ? everyPage.filter((_, at) => at % 5 === 0) : everyPage;
  const validated = validatedPages.length;
  for (const path of validatedPages) {
    const { text } = await requestOnce(stage.port, path);
    faults.html.push(...(await htmlFaults(validator, text)).map((fault) => `${path}: ${fault}`));
  }
  // In a quick run each page is seen in one look, the looks taking turns.
  const names = Object.keys(looks) as (keyof typeof looks)[];
  let views = 0;
  for (const [index, name] of names.entries()) {
    const seen = context.quick
      ? everyPage.filter((_, at) => at % (names.length * 4) === index * 4 && at < names.length * 4)
      : everyPage;
    const look = { ...looks[name], timezoneId: 'Asia/Shanghai' };
    const page = await browser.newPage(look);
    const bare = await (await browser.newContext({ ...look, javaScriptEnabled: false })).newPage();
    for (const path of seen) {
      views += 1;
      const address = `http://127.0.0.1:${stage.port}${path}`;
      await page.goto(address);
      const found = await accessibilityFaults(page);
      faults.axe.push(...found.map((fault) => `${name} ${path}: ${fault}`));
      faults.keyboard.push(...(await unreached(page)).map((what) => `${name} ${path}: ${what}`));
      await bare.goto(address);
      if ((await readable(bare)) !== (await readable(page))) faults.script.push(`${name} ${path}`);
    }
    await page.close();
    await bare.close();
  }
  for (const line of Object.values(faults).flatMap((of) => of.slice(0, 6))) context.note(line);
  context.figure({ name: 'pages validated', value: validated, unit: 'pages', goal: { atLeast: 10 } });
  context.figure({ name: 'pages opened in Chromium', value: views, unit: 'views', goal: { atLeast: 4 } });
  const none = (name: string, list: readonly string[]): void =>
    context.figure({ name, value: list.length, unit: 'faults', goal: { exactly: 0 } });
  none('faults of HTML', faults.html);
  none('violations that axe-core found, and pages wider than the screen', faults.axe);
  none('controls and links that Tab did not reach', faults.keyboard);
  none('pages that read otherwise without script', faults.script);
}

/** What the standard forbids; how it is laid out is a matter of taste, and the template's. */
const htmlRules: ConfigData = {
  extends: ['html-validate:standard'],
  rules: {
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    'no-inline-style': 'off',
    'attribute-boolean-style': 'off',
    'long-title': 'off',
    'no-implicit-button-type': 'off',
    'require-sri': 'off',
    'doctype-style': 'off',
    'no-raw-characters': 'off',
    'attr-quotes': 'off',
    'tel-non-breaking': 'off',
    'prefer-native-element': 'off',
    'text-content': 'off',
    'wcag/h30': 'off',
    'unique-landmark': 'error',
  },
};

async function htmlFaults(validator: HtmlValidate, text: string): Promise<readonly string[]> {
  const report = await validator.validateString(text);
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId} (${line}): ${message}`),
  );
}
