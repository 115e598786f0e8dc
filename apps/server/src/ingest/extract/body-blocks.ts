import type { PageElement, PageNode } from '../parse/html-page.ts';
import { oneLine } from '../parse/html-text.ts';

/** A paragraph, heading, list entry or cell. */
export interface TextBlock {
  readonly text: string;
  /** How much of the text is links, from 0 to 1. */
  readonly linkShare: number;
  readonly isInList: boolean;
}

const blockElements: ReadonlySet<string> = new Set(
  'P DIV LI H1 H2 H3 H4 H5 H6 BLOCKQUOTE PRE TD TH DT DD SECTION ARTICLE FIGURE TABLE TR UL OL DL HEADER MAIN BR HR TBODY THEAD CENTER ADDRESS DETAILS SUMMARY'.split(
    ' ',
  ),
);
const depthMax = 400;

export function bodyBlocks(root: PageElement): readonly TextBlock[] {
  const collector = new BlockCollector();
  collector.visit(root, { isLink: false, isInList: false, depth: 0 });
  collector.finish(false);
  return collector.blocks;
}

interface Place {
  readonly isLink: boolean;
  readonly isInList: boolean;
  readonly depth: number;
}

class BlockCollector {
  readonly blocks: TextBlock[] = [];
  #text = '';
  #linkLength = 0;

  visit(node: PageNode, place: Place): void {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) this.#add(child.textContent, place.isLink);
      else if (child.nodeType === 1 && place.depth < depthMax) this.#enter(child as PageElement, place);
    }
  }

  finish(isInList: boolean): void {
    const text = oneLine(this.#text);
    if (text !== '') this.blocks.push({ text, linkShare: this.#linkLength / text.length, isInList });
    this.#text = '';
    this.#linkLength = 0;
  }

  #enter(element: PageElement, place: Place): void {
    const { tagName } = element;
    const isBlock = blockElements.has(tagName);
    if (isBlock) this.finish(place.isInList);
    const inside = {
      isLink: place.isLink || tagName === 'A',
      isInList: place.isInList || tagName === 'LI',
      depth: place.depth + 1,
    };
    this.visit(element, inside);
    if (isBlock) this.finish(inside.isInList);
  }

  #add(text: string, isLink: boolean): void {
    this.#text += text;
    if (isLink) this.#linkLength += text.replaceAll(/\s+/gu, ' ').length;
  }
}
