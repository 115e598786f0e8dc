import { Parser } from 'htmlparser2';

/** An element of a note. Texts are strings. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
}

export type HtmlNode = HtmlElement | string;

/** The structure of a note is too large to be converted. */
export class HtmlLimitError extends Error {}

/** Programs write some twenty levels; a deeper tree would end the stack of the writer. */
const depthMax = 200;
const nodesMax = 2_000_000;
/** Their content is no text. */
const skipped = new Set(['script', 'style', 'template']);

/** The elements of a page or of a note of Evernote. Broken markup is repaired as browsers do; entities are decoded once. */
export function parseHtml(source: string): readonly HtmlNode[] {
  const root: HtmlElement = { name: '', attributes: {}, children: [] };
  const open: HtmlElement[] = [root];
  let nodes = 0;
  const count = (): void => {
    nodes += 1;
    if (nodes > nodesMax) throw new HtmlLimitError('it has too many elements');
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        count();
        if (open.length > depthMax) throw new HtmlLimitError('its elements are nested too deeply');
        const element = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext: (text) => {
        count();
        const parent = open.at(-1);
        if (parent !== undefined && !skipped.has(parent.name)) parent.children.push(text);
      },
      onclosetag: () => {
        if (open.length > 1) open.pop();
      },
    },
    { recognizeCDATA: true, recognizeSelfClosing: true },
  );
  parser.end(source.replaceAll('\0', ''));
  return root.children;
}

export function isElement(node: HtmlNode | undefined): node is HtmlElement {
  return node !== undefined && typeof node !== 'string';
}

export function hasClass(element: HtmlElement, name: string): boolean {
  return (element.attributes['class'] ?? '').split(/\s+/).includes(name);
}

/** The first element that the test accepts, in the order of the text. */
export function findElement(
  nodes: readonly HtmlNode[],
  test: (element: HtmlElement) => boolean,
): HtmlElement | null {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const found = test(node) ? node : findElement(node.children, test);
    if (found !== null) return found;
  }
  return null;
}

/** All text as it is. */
export function textOf(nodes: readonly HtmlNode[]): string {
  return nodes.map((node) => (isElement(node) ? textOf(node.children) : node)).join('');
}
