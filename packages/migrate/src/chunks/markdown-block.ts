import { fromMarkdown } from 'mdast-util-from-markdown';

type MarkdownNode = ReturnType<typeof fromMarkdown>['children'][number];

export interface MarkdownBlock {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'other';
  /** Characters, from the start of the block's first line to the end of its last. */
  readonly start: number;
  readonly end: number;
  /** Of a heading, 1 to 6. */
  readonly depth: number;
  /** Of a list: where each of its items begins. */
  readonly itemStarts: readonly number[];
}

/** The parser's time and memory grow faster than its input, so a document passes through it in pieces of this size. */
const windowChars = 16 * 1024;

/** Only the blocks matter here; leaving inline text unparsed is faster and keeps out inputs that make parsing slow. */
const blocksOnly = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
};

/**
 * The top-level blocks of a document in order. A window ends at its last block, which may continue, and the next
 * begins there: a top-level block starts with no other open, so parsing from it finds the same blocks.
 */
export function* readMarkdownBlocks(text: string): Generator<MarkdownBlock> {
  let from = 0;
  while (from < text.length) {
    const to = windowEnd(text, from);
    const nodes = parseNodes(text.slice(from, to));
    const blocks = nodes.map((node) => toBlock(text, node, from));
    const last = blocks.at(-1);
    if (to === text.length || last === undefined) {
      yield* blocks;
      from = to;
    } else if (blocks.length > 1 && last.start > from) {
      yield* blocks.slice(0, -1);
      from = last.start;
    } else {
      const end = cutOversized(text, nodes.at(-1), last, { from, to });
      yield { ...last, end, itemStarts: last.itemStarts.filter((start) => start < end) };
      from = end;
    }
  }
}

/** The fence that a text leaves open at its end, outside of any list or quotation; null if none is open. */
export function openFenceAtEnd(text: string): string | null {
  let last: MarkdownBlock | undefined;
  for (const block of readMarkdownBlocks(text)) last = block;
  if (last?.kind !== 'other') return null;
  const [node] = parseNodes(text.slice(last.start, Math.min(last.end, last.start + windowChars)));
  if (node?.type !== 'code') return null;
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(text.slice(last.start))?.[1];
  if (fence === undefined) return null;
  const lastLine = text
    .slice(last.start)
    .trimEnd()
    .split(/[\r\n]/);
  const isClosed = lastLine.length > 1 && closingFence(fence, '').test(lastLine.at(-1) ?? '');
  return isClosed ? null : fence;
}

function parseNodes(piece: string): readonly MarkdownNode[] {
  // The parser drops a leading U+FEFF without counting it, which would shift every offset by one.
  const safe = piece.startsWith('\uFEFF') ? `\uFFFD${piece.slice(1)}` : piece;
  if (deepestNesting.test(safe)) return [plainNode(safe)];
  return fromMarkdown(safe, { extensions: [blocksOnly] }).children;
}

/** A hundred quote or list markers on one line are an attack or noise, and cost the parser time without bound. */
const deepestNesting = /^(?![-*_ \t]*$)[ \t]*(?:(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])[ \t]*){100}/m;

function plainNode(piece: string): MarkdownNode {
  const start = { line: 1, column: 1, offset: 0 };
  const end = { line: 1, column: 1, offset: piece.length };
  return { type: 'html', value: '', position: { start, end } };
}

function toBlock(text: string, node: MarkdownNode, from: number): MarkdownBlock {
  const start = lineStart(text, offsetOf(node, 'start') + from, from);
  const end = offsetOf(node, 'end') + from;
  if (node.type === 'heading') return { kind: 'heading', start, end, depth: node.depth, itemStarts: [] };
  if (node.type === 'list') {
    return { kind: 'list', start, end, depth: 0, itemStarts: itemStarts(text, node, from) };
  }
  return { kind: node.type === 'paragraph' ? 'paragraph' : 'other', start, end, depth: 0, itemStarts: [] };
}

function itemStarts(
  text: string,
  list: Extract<MarkdownNode, { type: 'list' }>,
  from: number,
): readonly number[] {
  return list.children.map((item) => lineStart(text, offsetOf(item, 'start') + from, from));
}

function offsetOf(node: MarkdownNode, edge: 'start' | 'end'): number {
  const offset = node.position?.[edge].offset;
  if (offset === undefined) throw new TypeError('the parser gave a node without a position');
  return offset;
}

/** Where to end a block that fills a whole window: after a fence, before a list item, or at the end of a line. */
function cutOversized(
  text: string,
  node: MarkdownNode | undefined,
  block: MarkdownBlock,
  window: { readonly from: number; readonly to: number },
): number {
  const fence = node === undefined ? null : openFence(text, node, window.from);
  if (fence !== null) return afterFence(text, fence, window.to);
  const lastItem = block.itemStarts.at(-1);
  return lastItem !== undefined && lastItem > block.start ? lastItem : window.to;
}

/** The fence that the window's end would cut through, at whatever depth. */
function openFence(text: string, node: MarkdownNode, from: number): string | null {
  if (node.type === 'code') {
    const source = text.slice(from + offsetOf(node, 'start'), from + offsetOf(node, 'end'));
    const fence = /^(?:`{3,}|~{3,})/.exec(source)?.[0];
    if (fence === undefined) return null;
    const lastLine = source.slice(Math.max(source.lastIndexOf('\n'), source.lastIndexOf('\r')) + 1);
    const isClosed = lastLine.length < source.length && closingFence(fence, '').test(lastLine);
    return isClosed ? null : fence;
  }
  const last = 'children' in node ? node.children.at(-1) : undefined;
  return last === undefined ? null : openFence(text, last, from);
}

function afterFence(text: string, fence: string, to: number): number {
  const closing = closingFence(fence, 'gm');
  closing.lastIndex = to;
  return closing.test(text) ? afterLineEnding(text, closing.lastIndex) : text.length;
}

function closingFence(fence: string, flags: string): RegExp {
  return new RegExp(`^[ \\t>]*${fence[0] ?? ''}{${fence.length},}[ \\t]*$`, flags);
}

function windowEnd(text: string, from: number): number {
  const most = from + windowChars;
  if (most >= text.length) return text.length;
  const piece = text.slice(from, most);
  const newline = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r'));
  if (newline > 0) return afterLineEnding(text, from + newline);
  const isPair = (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return isPair ? most + 1 : most;
}

function afterLineEnding(text: string, at: number): number {
  if (text[at] === '\r' && text[at + 1] === '\n') return at + 2;
  return text[at] === '\r' || text[at] === '\n' ? at + 1 : at;
}

function lineStart(text: string, offset: number, from: number): number {
  let start = offset;
  while (start > from && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}
