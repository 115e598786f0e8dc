import type { PageElement, PageNode } from '../parse/html-page.ts';
import { oneLine } from '../parse/html-text.ts';
import type { ParagraphRole } from './paragraph.ts';
import { markedRole } from './surroundings.ts';

/** A paragraph, heading, list entry or cell. */
export interface TextBlock {
  readonly text: string;
  /** How much of the text is links, from 0 to 1. */
  readonly linkShare: number;
  readonly isInList: boolean;
  readonly isCode: boolean;
  /** The role that an element around the text states; null: none does. */
  readonly stated: ParagraphRole | null;
}

const blockElements: ReadonlySet<string> = new Set(
  'P DIV LI H1 H2 H3 H4 H5 H6 BLOCKQUOTE PRE TD TH DT DD SECTION ARTICLE FIGURE TABLE TR UL OL DL HEADER MAIN BR HR TBODY THEAD CENTER ADDRESS DETAILS SUMMARY FIGCAPTION ASIDE FOOTER'.split(
    ' ',
  ),
);
const depthMax = 400;

export function bodyBlocks(root: PageElement): readonly TextBlock[] {
  const collector = new BlockCollector();
  const place = { isLink: false, isInList: false, isCode: false, stated: null, depth: 0 };
  collector.visit(root, place);
  collector.finish(place);
  return collector.blocks;
}

interface Place {
  readonly isLink: boolean;
  readonly isInList: boolean;
  readonly isCode: boolean;
  readonly stated: ParagraphRole | null;
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

  finish({ isInList, isCode, stated }: Place): void {
    const text = oneLine(this.#text);
    if (text !== '')
      this.blocks.push({ text, linkShare: this.#linkLength / text.length, isInList, isCode, stated });
    this.#text = '';
    this.#linkLength = 0;
  }

  #enter(element: PageElement, place: Place): void {
    const { tagName } = element;
    const stated = place.stated ?? markedRole(element);
    const isBlock = blockElements.has(tagName);
    // Marked text inside a sentence is a block of its own and does not divide the sentence.
    const outer = !isBlock && stated !== place.stated ? this.#suspend() : null;
    if (isBlock) this.finish(place);
    const inside = {
      isLink: place.isLink || tagName === 'A',
      isInList: place.isInList || tagName === 'LI',
      isCode: place.isCode || tagName === 'PRE',
      stated,
      depth: place.depth + 1,
    };
    this.visit(element, inside);
    if (isBlock || outer !== null) this.finish(inside);
    if (outer !== null) [this.#text, this.#linkLength] = outer;
  }

  #suspend(): readonly [text: string, linkLength: number] {
    const outer = [this.#text, this.#linkLength] as const;
    this.#text = '';
    this.#linkLength = 0;
    return outer;
  }

  #add(text: string, isLink: boolean): void {
    this.#text += text;
    if (isLink) this.#linkLength += text.replaceAll(/\s+/gu, ' ').length;
  }
}
