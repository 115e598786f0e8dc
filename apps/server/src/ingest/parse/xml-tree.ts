import { readMarkup } from './markup-events.ts';
import { NamespaceScope } from './namespaces.ts';
import type { XmlReferences } from './xml-prolog.ts';
import { readProlog } from './xml-prolog.ts';

export interface XmlElement {
  /** Prefix of the vocabulary and local name, lower-case: `atom:link`, `rss:item`, `dc:date`. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
  /** The base of relative addresses. */
  readonly base: string;
  readonly language: string | null;
}

export interface XmlTree {
  readonly root: XmlElement;
  /** False: parsing stopped at a bound; the tree contains everything before it. */
  readonly complete: boolean;
  readonly entriesDropped: number;
}

export interface XmlTreeBounds {
  readonly depthMax: number;
  readonly elementsMax: number;
  readonly entriesMax: number;
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
  readonly scope: NamespaceScope;
}

/** Parses XML of any quality into a tree; null: no element. */
export function readXmlTree(text: string, documentUrl: string, bounds: XmlTreeBounds): XmlTree | null {
  const { rest, references } = readProlog(text);
  const builder = new TreeBuilder(documentUrl, references, bounds.entriesMax);
  const complete = readMarkup(rest, { xml: true, ...bounds }, builder);
  const root = builder.root;
  return root === null ? null : { root, complete, entriesDropped: builder.entriesDropped };
}

class TreeBuilder {
  root: XmlElement | null = null;
  entriesDropped = 0;
  readonly #documentUrl: string;
  readonly #references: XmlReferences;
  readonly #entriesMax: number;
  readonly #open: OpenElement[] = [];
  #entries = 0;
  /** Open elements inside an entry beyond the bound. */
  #skipped = 0;

  constructor(documentUrl: string, references: XmlReferences, entriesMax: number) {
    this.#documentUrl = documentUrl;
    this.#references = references;
    this.#entriesMax = entriesMax;
  }

  readonly open = (rawName: string, attributes: Readonly<Record<string, string>>): void => {
    if (this.#skipped > 0) {
      this.#skipped += 1;
      return;
    }
    const parent = this.#open.at(-1);
    const element = this.#element(rawName, attributes, parent);
    if (entryNames.has(element.name) && this.#isBeyondBound()) return;
    if (parent !== undefined) parent.children.push(element);
    else this.root ??= element;
    this.#open.push(element);
  };

  readonly close = (): void => {
    if (this.#skipped > 0) this.#skipped -= 1;
    else this.#open.pop();
  };

  readonly text = (text: string, inCdata: boolean): void => {
    if (this.#skipped > 0) return;
    this.#open.at(-1)?.children.push(inCdata ? text : this.#references.decode(text));
  };

  #isBeyondBound(): boolean {
    this.#entries += 1;
    if (this.#entries <= this.#entriesMax) return false;
    this.entriesDropped += 1;
    this.#skipped = 1;
    return true;
  }

  #element(
    rawName: string,
    rawAttributes: Readonly<Record<string, string>>,
    parent: OpenElement | undefined,
  ): OpenElement {
    const attributes = this.#references.decodeAll(rawAttributes);
    const scope = parent?.scope.inside(attributes) ?? NamespaceScope.ofRoot(rawName, attributes);
    const parentBase = parent?.base ?? this.#documentUrl;
    const ownBase = attributes['xml:base'];
    const language = attributes['xml:lang'];
    return {
      name: scope.elementName(rawName),
      attributes,
      children: [],
      base: ownBase === undefined ? parentBase : resolvedBase(ownBase, parentBase),
      language: language === undefined ? (parent?.language ?? null) : language.trim() || null,
      scope,
    };
  }
}

function resolvedBase(base: string, around: string): string {
  return base.length > baseCharsMax ? around : (URL.parse(base.trim(), around)?.href ?? around);
}

const baseCharsMax = 2_000;
const entryNames: ReadonlySet<string> = new Set(['rss:item', 'atom:entry']);

/** The children that are elements of that name. */
export function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && child.name === name,
  );
}

export function firstChild(element: XmlElement, ...names: readonly string[]): XmlElement | null {
  for (const name of names) {
    const found = element.children.find(
      (child): child is XmlElement => typeof child !== 'string' && child.name === name,
    );
    if (found !== undefined) return found;
  }
  return null;
}

/** All text inside, unchanged. */
export function innerText(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : innerText(child))).join('');
}

export function hasElements(element: XmlElement): boolean {
  return element.children.some((child) => typeof child !== 'string');
}

/** The content as markup, for elements that contain HTML as elements instead of text. */
export function innerMarkup(element: XmlElement): string {
  return element.children
    .map((child) => (typeof child === 'string' ? escapeText(child) : outerMarkup(child)))
    .join('');
}

function outerMarkup(element: XmlElement): string {
  const name = element.name.slice(element.name.indexOf(':') + 1);
  return `<${name}>${innerMarkup(element)}</${name}>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const lineCharsMax = 4_000;

/** The first text that is not empty, on one line. */
export function lineOf(element: XmlElement, ...names: readonly string[]): string | null {
  for (const name of names)
    for (const child of childrenNamed(element, name)) {
      const line = innerText(child).slice(0, lineCharsMax).replaceAll(/\s+/gu, ' ').trim();
      if (line !== '') return line;
    }
  return null;
}
