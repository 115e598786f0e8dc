import { fenced, fileAddress, linkLabel } from './converted-note.ts';
import { htmlTable } from './html-table.ts';
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import { findElement, isElement, textOf } from './html-tree.ts';
import { emphasis, inlineText, joinLines, lineBreak } from './markdown-text.ts';

/** What a format adds to HTML. Null leaves an element to the common rules. */
export interface HtmlOptions {
  /** Markdown inside a line, such as a link to an attachment. */
  readonly inline?: (element: HtmlElement) => string | null;
  /** Markdown on lines of its own. */
  readonly block?: (element: HtmlElement) => string | null;
  /** The language of a code block, or null if the element is none. */
  readonly code?: (element: HtmlElement) => string | null;
  /** The address of a link or a picture as it must be written; empty for none. */
  readonly address?: (address: string, label: string) => string | null;
}

type BlockKind = 'line' | 'item' | 'block';

interface Block {
  readonly kind: BlockKind;
  readonly text: string;
}

const blockNames = new Set(
  'address article aside blockquote body center dd details div dl dt en-note fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const markers: Readonly<Record<string, readonly [string, string]>> = {
  b: ['**', '**'],
  strong: ['**', '**'],
  i: ['*', '*'],
  em: ['*', '*'],
  s: ['~~', '~~'],
  del: ['~~', '~~'],
  strike: ['~~', '~~'],
  u: ['<u>', '</u>'],
  mark: ['==', '=='],
  sup: ['<sup>', '</sup>'],
  sub: ['<sub>', '</sub>'],
  kbd: ['<kbd>', '</kbd>'],
};

/** Markdown with every text of the elements, in their order. */
export function htmlMarkdown(nodes: readonly HtmlNode[], options: HtmlOptions = {}): string {
  return new MarkdownWriter(options).write(nodes);
}

class MarkdownWriter {
  readonly #options: HtmlOptions;
  /** Whether a node contains a block: called for each ancestor of it. */
  readonly #blockish = new WeakMap<HtmlElement, boolean>();

  constructor(options: HtmlOptions) {
    this.#options = options;
  }

  write(nodes: readonly HtmlNode[]): string {
    return joined(this.#blocks(nodes));
  }

  #blocks(nodes: readonly HtmlNode[]): readonly Block[] {
    const blocks: Block[] = [];
    let run: HtmlNode[] = [];
    const flush = (): void => {
      if (run.length > 0) blocks.push(...lineBlocks(this.#inline(run), isBlankLine(run)));
      run = [];
    };
    for (const node of nodes) {
      if (!isElement(node) || !this.#isBlock(node)) {
        run.push(node);
        continue;
      }
      flush();
      blocks.push(...this.#block(node));
    }
    flush();
    return blocks;
  }

  #isBlock(element: HtmlElement): boolean {
    const known = this.#blockish.get(element);
    if (known !== undefined) return known;
    const isBlock =
      blockNames.has(element.name) ||
      (element.name !== 'a' && element.children.some((child) => isElement(child) && this.#isBlock(child)));
    this.#blockish.set(element, isBlock);
    return isBlock;
  }

  #block(element: HtmlElement): readonly Block[] {
    const own = this.#options.block?.(element) ?? null;
    if (own !== null) return own === '' ? [] : [block(own)];
    const language = this.#options.code?.(element) ?? null;
    if (language !== null) return [block(fenced(codeText(element.children), language))];
    const { name, children } = element;
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) return this.#heading(Number(heading), children);
    switch (name) {
      case 'ul':
      case 'ol':
        return [block(this.#list(element))];
      case 'li':
        return this.#blocks([{ name: 'ul', attributes: {}, children: [element] }]);
      case 'pre':
        return [block(fenced(codeText(children), codeLanguage(element)))];
      case 'hr':
        return [block('---')];
      case 'blockquote':
        return [block(quoted(joined(this.#blocks(children))))];
      case 'table':
        return this.#table(element);
      case 'summary':
        return [block(emphasis(joinLines(this.#flat(children)), '**', '**'))];
      case 'p':
      case 'dt':
      case 'dd':
      case 'figcaption':
        return asParagraph(this.#blocks(children));
      default:
        return this.#container(element);
    }
  }

  /** Emphasis around blocks is written around each of them. */
  #container({ name, children }: HtmlElement): readonly Block[] {
    const marker = markers[name];
    const blocks = this.#blocks(children);
    if (marker === undefined) return blocks;
    return blocks.map((one) =>
      one.kind === 'line' && !one.text.includes(marker[0])
        ? { ...one, text: emphasis(one.text, ...marker) }
        : one,
    );
  }

  #heading(level: number, children: readonly HtmlNode[]): readonly Block[] {
    const text = joinLines(this.#flat(children)).trim();
    return text === '' ? [] : [block(`${'#'.repeat(level)} ${text}`)];
  }

  #table(element: HtmlElement): readonly Block[] {
    const table = htmlTable(element, (cell) => this.#flat(cell.children));
    return table === null ? this.#blocks(cellsOf(element)) : [block(table)];
  }

  #list(list: HtmlElement): string {
    const isTasks = /--en-todo:\s*true/.test(list.attributes['style'] ?? '');
    let number = Number.parseInt(list.attributes['start'] ?? '1', 10) || 1;
    const items: string[] = [];
    const append = (blocks: readonly Block[]): void => {
      const text = joined(blocks);
      if (text.trim() === '') return;
      if (items.length === 0) items.push(text);
      else items[items.length - 1] += `\n${indented(text, '    ')}`;
    };
    for (const child of list.children) {
      if (!isElement(child)) {
        if (child.trim() !== '') append(this.#blocks([child]));
      } else if (child.name === 'li') {
        const bullet = list.name === 'ol' ? `${number}. ` : '- ';
        const task = isTasks ? taskMark(/--en-checked:\s*true/.test(child.attributes['style'] ?? '')) : '';
        number += 1;
        items.push(this.#item(child, bullet, task));
      } else append(this.#block(child)); // Evernote nests a list beside its item, not in it.
    }
    return items.join('\n');
  }

  #item(item: HtmlElement, bullet: string, task: string): string {
    const blocks = this.#blocks(item.children).filter(({ text }) => text.trim() !== '');
    const text = blocks
      .map(({ kind, text: one }, at) => {
        const isTight = /^(?:- |\d+\. )/.test(one) || kind !== 'block' || at === 0;
        return at === 0 ? one : `${isTight ? '\n' : '\n\n'}${one}`;
      })
      .join('');
    const own = text.replace(/^- (?=\[[ x]\] )/, '');
    return `${bullet}${task}${indented(own, '    ').trimStart()}`;
  }

  /** The text of elements inside one line; blocks in it are separated by line breaks. */
  #flat(nodes: readonly HtmlNode[]): string {
    if (!nodes.some((node) => isElement(node) && this.#isBlock(node))) return this.#inline(nodes).trim();
    return this.#blocks(nodes)
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join('\n');
  }

  #inline(nodes: readonly HtmlNode[]): string {
    return nodes.map((node) => (isElement(node) ? this.#inlineElement(node) : inlineText(node))).join('');
  }

  #inlineElement(element: HtmlElement): string {
    const own = this.#options.inline?.(element) ?? null;
    if (own !== null) return own;
    const { name, children, attributes } = element;
    if (name === 'br') return lineBreak;
    if (name === 'img' || (/^(?:video|audio|source)$/.test(name) && 'src' in attributes))
      return this.#image(element) + this.#inline(children);
    if (name === 'a') return this.#link(element);
    if (name === 'code' || name === 'tt' || name === 'samp') return codeSpan(textOf(children));
    if (name === 'q') return `“${this.#inline(children)}”`;
    if (name === 'input' && attributes['type'] === 'checkbox') return taskMark('checked' in attributes);
    const text = this.#inline(children);
    const marker = markers[name] ?? styleMarker(attributes['style'] ?? '');
    return marker === null ? text : emphasis(text, ...marker);
  }

  #image({ attributes }: HtmlElement): string {
    const { src = '', alt = '', title = '' } = attributes;
    const address = this.#options.address?.(src, alt) ?? markdownAddress(src);
    if (address === '') return inlineText(alt);
    return `![${linkLabel(inlineText(alt))}](${address}${titlePart(title)})`;
  }

  #link({ attributes, children }: HtmlElement): string {
    const { href = '', title = '' } = attributes;
    const text = joinLines(this.#flat(children)).trim();
    const plain = textOf(children).trim();
    const address = this.#options.address?.(href, plain) ?? markdownAddress(href);
    if (address.startsWith('[')) return address;
    if (address === '' || address === '<>') return text;
    if (plain === href && /^https?:\/\/[^\s<>]+$/.test(href)) return `<${href}>`;
    if (text.startsWith('![') && text.endsWith(`](${address})`)) return text;
    const label = text.startsWith('![') ? text : text.replace(/(?<!\\)[[\]]/g, '\\$&');
    return `[${label === '' ? linkLabel(href) : label}](${address}${titlePart(title)})`;
  }
}

function cellsOf(table: HtmlElement): readonly HtmlNode[] {
  const parts = new Set(['tbody', 'thead', 'tfoot', 'tr', 'td', 'th', 'caption', 'colgroup']);
  return table.children.flatMap((child) =>
    isElement(child) && parts.has(child.name)
      ? child.name === 'td' || child.name === 'th' || child.name === 'caption'
        ? [{ ...child, name: 'div' }]
        : cellsOf(child)
      : [child],
  );
}

function block(text: string): Block {
  return { kind: 'block', text };
}

/** A paragraph ends with a blank line, a line of Evernote with its line. */
function asParagraph(blocks: readonly Block[]): readonly Block[] {
  const text = joined(blocks);
  return text.trim() === '' ? [] : [block(text)];
}

/** A line that begins with a check box is an item of a list of tasks. */
function lineBlocks(inline: string, isBlank: boolean): readonly Block[] {
  const text = inline
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
  if (text === '') return isBlank ? [{ kind: 'line', text: '' }] : [];
  const lines = text.split('\n');
  if (!lines.some((line) => /^\[[ x]\] /.test(line)))
    return [{ kind: 'line', text: joinLines(text, '  \n') }];
  return lines.map((line) =>
    /^\[[ x]\] /.test(line) ? { kind: 'item', text: `- ${line}` } : { kind: 'line', text: line },
  );
}

function isBlankLine(run: readonly HtmlNode[]): boolean {
  return findElement(run, ({ name }) => name === 'br') !== null;
}

function joined(blocks: readonly Block[]): string {
  let text = '';
  let before: Block | null = null;
  for (const one of blocks) {
    if (one.text === '') {
      before = null;
      continue;
    }
    if (text !== '') {
      const isTight = before?.kind === one.kind && one.kind !== 'block';
      text += isTight ? (one.kind === 'line' ? '  \n' : '\n') : '\n\n';
    }
    text += one.text;
    before = one;
  }
  return text;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function indented(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : by + line))
    .join('\n');
}

export function taskMark(isDone: boolean): string {
  return isDone ? '[x] ' : '[ ] ';
}

/** Lines of code are elements of their own in Evernote, and line feeds elsewhere. */
function codeText(nodes: readonly HtmlNode[]): string {
  let text = '';
  const visit = (node: HtmlNode): void => {
    if (!isElement(node)) {
      text += node.replace(/\u00a0/g, ' ').replace(/\r\n?/g, '\n');
      return;
    }
    const isLine = blockNames.has(node.name);
    if (node.name === 'br' || (isLine && text !== '' && !text.endsWith('\n'))) text += '\n';
    for (const child of node.children) visit(child);
    if (isLine && !text.endsWith('\n')) text += '\n';
  };
  for (const node of nodes) visit(node);
  return text.trimEnd().replace(/^\n+/, '');
}

function codeLanguage(element: HtmlElement): string {
  const code = findElement([element], ({ attributes }) => /\blanguage-/.test(attributes['class'] ?? ''));
  return (/\blanguage-([\w+#.-]+)/.exec(code?.attributes['class'] ?? '')?.[1] ?? '').toLowerCase();
}

function codeSpan(text: string): string {
  const code = text.replace(/\s*\n\s*/g, ' ').replace(/\u00a0/g, ' ');
  if (code.trim() === '') return code;
  const ticks = '`'.repeat(Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${code}${pad}${ticks}`;
}

function styleMarker(style: string): readonly [string, string] | null {
  if (/-evernote-highlight:\s*true|--en-highlight/.test(style)) return ['==', '=='];
  if (/text-decoration[^;]*:[^;]*line-through/.test(style)) return ['~~', '~~'];
  if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) return ['**', '**'];
  return /font-style:\s*italic/.test(style) ? ['*', '*'] : null;
}

/** An address with spaces or brackets would end the link early. */
function markdownAddress(address: string): string {
  const plain = address.trim().replace(/[\n\r\t]/g, '');
  if (!/[\s()<>]/.test(plain)) return plain;
  return /^[a-z][a-z\d+.-]*:/i.test(plain)
    ? plain.replace(/[\s()<>]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : fileAddress(safeDecode(plain));
}

function safeDecode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function titlePart(title: string): string {
  return title.trim() === '' ? '' : ` "${title.replace(/["\\\n]/g, ' ').trim()}"`;
}
