import { journalDate } from '../sources/journal-date.ts';
import { headingTitle } from './heading-title.ts';
import type { MarkdownBlock } from './markdown-block.ts';

/** Characters of a document that belong together, the end not included. */
export interface Section {
  readonly start: number;
  readonly end: number;
  readonly headings: readonly string[];
}

/** A paragraph after this much text begins a new chunk: notes change their subject from one to the next. */
const paragraphsJoinBelowChars = 160;
/** No chunk is left with less than this where a neighbour of the same section can take it. */
const joinBelowChars = 40;
const sectionCharsMax = 2000;
/** A single paragraph longer than this is cut at its line ends. */
const paragraphCharsMax = 8000;
/** Dates head journal entries below any real heading. */
const journalDepth = 7;

interface OpenSection {
  readonly start: number;
  headings: readonly string[];
  bodyChars: number;
  hasHeading: boolean;
  /** The last block announces the next: it ends with a colon. */
  announces: boolean;
}

/**
 * Cuts at headings, at dates that head journal entries and, in long sections, between paragraphs and list items;
 * never inside a code fence. Sections follow each other without a gap.
 */
export function* cutSections(text: string, blocks: Iterable<MarkdownBlock>): Generator<Section> {
  const cutter = new SectionCutter();
  for (const block of blocks) {
    for (const piece of smallerBlocks(text, block)) cutter.add(text, piece);
    yield* cutter.takeFinished();
  }
  yield* cutter.finish(text.length);
}

class SectionCutter {
  readonly #path: { readonly depth: number; readonly title: string }[] = [];
  #open: OpenSection | null = null;
  /** The newest closed section is buffered, because a following scrap may still join it. */
  #finished: Section[] = [];

  add(text: string, block: MarkdownBlock): void {
    const date = block.kind === 'paragraph' ? journalDate(text.slice(block.start, block.end)) : null;
    if (block.kind === 'heading' || date !== null) {
      this.#addHeading(block, date ?? headingTitle(text.slice(block.start, block.end)));
      if (date === null) return;
      const body = text.slice(block.start, block.end).trim();
      if (!/[\r\n]/.test(body)) return;
    } else {
      this.#startWherePartsEnd(block);
    }
    const open = (this.#open ??= this.#begin(0));
    open.bodyChars += block.end - block.start;
    open.announces = /[:：]\s*$/.test(text.slice(Math.max(block.start, block.end - 20), block.end));
  }

  *takeFinished(): Generator<Section> {
    while (this.#finished.length > 1) yield this.#finished.shift() as Section;
  }

  *finish(end: number): Generator<Section> {
    const last = this.#finished.at(-1);
    if (this.#open !== null && this.#open.bodyChars === 0 && last !== undefined) {
      this.#finished.splice(-1, 1, { ...last, end });
    } else if (this.#open !== null) {
      this.#close(end);
    }
    yield* this.#finished;
  }

  #addHeading(block: MarkdownBlock, title: string): void {
    const depth = block.kind === 'heading' ? block.depth : journalDepth;
    while ((this.#path.at(-1)?.depth ?? 0) >= depth) this.#path.pop();
    this.#path.push({ depth, title });
    const open = this.#open;
    const isScrap = open !== null && !open.hasHeading && open.start === 0 && open.bodyChars < joinBelowChars;
    if (open !== null && open.bodyChars > 0 && !isScrap) {
      this.#close(block.start);
      this.#open = null;
    }
    this.#open ??= this.#begin(this.#finished.length === 0 ? 0 : block.start);
    this.#open.headings = this.#titles();
    this.#open.hasHeading = true;
    this.#open.announces = false;
  }

  #startWherePartsEnd(block: MarkdownBlock): void {
    const open = this.#open;
    if (open === null || open.bodyChars === 0) return;
    const size = block.end - block.start;
    const isNewThought = block.kind === 'paragraph' && open.bodyChars >= paragraphsJoinBelowChars;
    const isFull = open.bodyChars + size > sectionCharsMax;
    if ((isNewThought && !open.announces) || (isFull && !(open.announces && size < sectionCharsMax))) {
      this.#close(block.start);
      this.#open = this.#begin(block.start);
    }
  }

  #begin(start: number): OpenSection {
    return { start, headings: this.#titles(), bodyChars: 0, hasHeading: false, announces: false };
  }

  #close(end: number): void {
    const open = this.#open;
    if (open === null) return;
    const last = this.#finished.at(-1);
    const isScrap = !open.hasHeading && open.bodyChars < joinBelowChars;
    if (isScrap && last !== undefined && last.headings.join('\n') === open.headings.join('\n')) {
      this.#finished.splice(-1, 1, { ...last, end });
    } else {
      this.#finished.push({ start: open.start, end, headings: open.headings });
    }
  }

  #titles(): readonly string[] {
    return this.#path.map(({ title }) => title).filter((title) => title !== '');
  }
}

/** A long list item by item, a very long paragraph line by line; everything else as it is. */
function* smallerBlocks(text: string, block: MarkdownBlock): Generator<MarkdownBlock> {
  const size = block.end - block.start;
  let starts: readonly number[] = [block.start];
  if (block.kind === 'list' && size > sectionCharsMax) starts = block.itemStarts;
  if (block.kind === 'paragraph' && size > paragraphCharsMax) starts = lineStarts(text, block);
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? block.end;
    yield at === 0 && end === block.end ? block : { ...block, kind: 'other', start, end, itemStarts: [] };
  }
}

function lineStarts(text: string, block: MarkdownBlock): readonly number[] {
  const starts = [block.start];
  const ending = /\r\n|\n|\r/g;
  ending.lastIndex = block.start;
  for (
    let found = ending.exec(text);
    found !== null && ending.lastIndex < block.end;
    found = ending.exec(text)
  ) {
    starts.push(ending.lastIndex);
  }
  return starts;
}
