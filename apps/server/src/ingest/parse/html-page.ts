import { parseHTML } from 'linkedom';

import { lengthWithinBounds } from './page-bounds.ts';

/** The part of the DOM that ingest uses; the library's own types require those of a browser. */
export interface PageNode {
  /** 1 for elements, 3 for text. */
  readonly nodeType: number;
  readonly textContent: string;
  readonly childNodes: Iterable<PageNode>;
}

export interface PageElement extends PageNode {
  readonly tagName: string;
  readonly parentElement: PageElement | null;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly matches: (selector: string) => boolean;
  readonly querySelector: (selector: string) => PageElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
  readonly remove: () => void;
}

export interface Page {
  readonly documentElement: PageElement | null;
  readonly body: PageElement | null;
  readonly querySelector: (selector: string) => PageElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
}

/** Of a hostile page, only a beginning is read. */
export function openPage(html: string): Page {
  return parseHTML(html.slice(0, lengthWithinBounds(html))).document;
}
