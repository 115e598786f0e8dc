import { Readability } from '@mozilla/readability';

import type { Page, PageElement } from '../parse/html-page.ts';
import { openPage } from '../parse/html-page.ts';
import { articleRange } from './article-range.ts';
import type { TextBlock } from './body-blocks.ts';
import { bodyBlocks } from './body-blocks.ts';
import type { PageStatements } from './page-statements.ts';
import { pageStatements } from './page-statements.ts';
import { roleOf, wordCount } from './paragraph-role.ts';
import type { Paragraph, ParagraphRole } from './paragraph.ts';
import { markSurroundings } from './surroundings.ts';

const elementsMax = 40_000;

/** If the stated roles leave less than this share, a class name was misleading and they do not count. */
const remainingShareMin = 0.6;

/** The text of a page's article, a line per paragraph; empty if the page has no article. */
export function articleBody(html: string): string {
  return articleParagraphs(html)
    .filter(({ role }) => role === 'body' || role === 'standfirst')
    .map(({ text }) => text)
    .join('\n');
}

/** The paragraphs in and around a page's article, each with its role. */
export function articleParagraphs(html: string): readonly Paragraph[] {
  const page = openPage(html);
  const statements = pageStatements(page);
  markSurroundings(page);
  const stated = statedRoles(page);
  const root = articleRoot(page);
  const blocks = root === null ? [] : bodyBlocks(root);
  return withRoles(
    blocks.map((block) => ({ ...block, stated: block.stated ?? stated.get(block.text) ?? null })),
    statements,
  );
}

/** By text: Readability replaces elements, and their marks are lost. */
function statedRoles(page: Page): ReadonlyMap<string, ParagraphRole> {
  const blocks = page.body === null ? [] : bodyBlocks(page.body);
  return new Map(blocks.flatMap(({ text, stated }) => (stated === null ? [] : [[text, stated] as const])));
}

function withRoles(blocks: readonly TextBlock[], statements: PageStatements): readonly Paragraph[] {
  const byText = blocks.map((block) => ({ ...block, role: roleOf(block) }));
  const body = byText.filter(({ role }) => role === 'body');
  const isMisleading =
    wordsIn(body.filter(({ stated }) => stated === null)) < wordsIn(body) * remainingShareMin;
  const paragraphs = isMisleading
    ? byText
    : byText.map((block) => ({ ...block, role: block.stated ?? block.role }));
  return articleRange(paragraphs, statements);
}

function wordsIn(blocks: readonly { readonly text: string }[]): number {
  return blocks.reduce((sum, { text }) => sum + wordCount(text), 0);
}

function articleRoot(page: Page): PageElement | null {
  const reader = new Readability<PageElement>(page, {
    serializer: (element) => element,
    maxElemsToParse: elementsMax,
  });
  return reader.parse()?.content ?? null;
}
