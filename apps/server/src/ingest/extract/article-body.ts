import { Readability } from '@mozilla/readability';

import type { Page, PageElement } from '../parse/html-page.ts';
import { openPage } from '../parse/html-page.ts';
import type { TextBlock } from './body-blocks.ts';
import { bodyBlocks } from './body-blocks.ts';
import { isBoilerplate, withoutEnding, wordCount } from './boilerplate-blocks.ts';
import { markSurroundings, removeSurroundings } from './surroundings.ts';

const elementsMax = 40_000;

/** If removing the surroundings leaves less than this share, a class name was misleading and nothing is removed. */
const remainingShareMin = 0.6;

/** The text of a page's article, a line per paragraph; empty if the page has no article. */
export function articleBody(html: string): string {
  const page = openPage(html);
  markSurroundings(page);
  const root = articleRoot(page);
  if (root === null) return '';
  const whole = bodyBlocks(root).filter((block) => !isBoilerplate(block));
  removeSurroundings(root);
  const cleaned = bodyBlocks(root).filter((block) => !isBoilerplate(block));
  const chosen = wordsIn(cleaned) >= wordsIn(whole) * remainingShareMin ? cleaned : whole;
  return withoutEnding(chosen)
    .map(({ text }) => text)
    .join('\n');
}

function wordsIn(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + wordCount(text), 0);
}

function articleRoot(page: Page): PageElement | null {
  const reader = new Readability<PageElement>(page, {
    serializer: (element) => element,
    maxElemsToParse: elementsMax,
  });
  return reader.parse()?.content ?? null;
}
