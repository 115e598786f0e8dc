import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';

/** Declared sizes above these are refused before anything is unpacked; the memory of the process bounds the rest. */
const memberBytesMax = 64 * 1024 ** 2;
const unpackedBytesMax = 128 * 1024 ** 2;

/** The text of an Office Open XML or OpenDocument file: documents, spreadsheets and presentations. */
export function officeText(bytes: Uint8Array): string {
  const members = unpack(bytes);
  const text = (name: string): string => {
    const found = members[name];
    return found === undefined ? '' : new TextDecoder().decode(found);
  };
  const named = (form: RegExp): readonly string[] =>
    Object.keys(members)
      .filter((name) => form.test(name))
      .sort((one, other) => numberIn(one) - numberIn(other) || (one < other ? -1 : 1));
  if (members['word/document.xml'] !== undefined) {
    const notes = named(/^word\/(?:header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/);
    return ['word/document.xml', ...notes].map((name) => paragraphs(text(name), wordForm)).join('\n');
  }
  if (members['xl/workbook.xml'] !== undefined) {
    const shared = sharedStrings(text('xl/sharedStrings.xml'));
    const sheets = named(/^xl\/worksheets\/sheet\d+\.xml$/);
    return sheets.map((name) => sheetText(text(name), shared)).join('\n');
  }
  if (members['ppt/presentation.xml'] !== undefined) {
    const slides = [
      ...named(/^ppt\/slides\/slide\d+\.xml$/),
      ...named(/^ppt\/notesSlides\/notesSlide\d+\.xml$/),
    ];
    return slides.map((name) => paragraphs(text(name), slideForm)).join('\n');
  }
  if (members['content.xml'] !== undefined) return paragraphs(text('content.xml'), openForm);
  throw new Error('no document of a known kind');
}

const wanted =
  /^(?:word\/[a-z]+\d*\.xml|xl\/(?:workbook|sharedStrings|worksheets\/sheet\d+)\.xml|ppt\/(?:presentation|slides\/slide\d+|notesSlides\/notesSlide\d+)\.xml|content\.xml)$/;

function unpack(bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let unpacked = 0;
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!wanted.test(name)) return false;
      unpacked += originalSize;
      if (originalSize > memberBytesMax || unpacked > unpackedBytesMax) throw new Error('too large unpacked');
      return true;
    },
  });
}

function numberIn(name: string): number {
  return Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
}

/** Elements whose text counts, and those that stand for white space. */
interface DocumentForm {
  readonly text: ReadonlySet<string>;
  readonly space: Readonly<Record<string, string>>;
  readonly ends: Readonly<Record<string, string>>;
}

const wordForm: DocumentForm = {
  text: new Set(['w:t']),
  space: { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n' },
  ends: { 'w:p': '\n', 'w:tc': '\t' },
};
const slideForm: DocumentForm = {
  text: new Set(['a:t']),
  space: { 'a:br': '\n', 'a:tab': '\t' },
  ends: { 'a:p': '\n', 'a:tc': '\t' },
};
/** Text may stand in any element of a paragraph. */
const openForm: DocumentForm = {
  text: new Set(['text:p', 'text:h']),
  space: { 'text:tab': '\t', 'text:s': ' ', 'text:line-break': '\n' },
  ends: { 'text:p': '\n', 'text:h': '\n', 'table:table-cell': '\t' },
};

function paragraphs(xml: string, { text, space, ends }: DocumentForm): string {
  const pieces: string[] = [];
  let depth = 0;
  read(xml, {
    onopentag: (name) => {
      if (text.has(name)) depth += 1;
      pieces.push(space[name] ?? '');
    },
    onclosetag: (name) => {
      if (text.has(name)) depth = Math.max(0, depth - 1);
      pieces.push(ends[name] ?? '');
    },
    ontext: (found) => {
      if (depth > 0) pieces.push(found);
    },
  });
  return pieces.join('');
}

function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let pieces: string[] = [];
  let isText = false;
  read(xml, {
    onopentag: (name) => {
      if (name === 'si') pieces = [];
      isText = name === 't';
    },
    onclosetag: (name) => {
      if (name === 'si') strings.push(pieces.join(''));
      isText = false;
    },
    ontext: (found) => {
      if (isText) pieces.push(found);
    },
  });
  return strings;
}

/** A row per line, cells after each other. */
function sheetText(xml: string, shared: readonly string[]): string {
  const pieces: string[] = [];
  let isShared = false;
  let value: string | null = null;
  read(xml, {
    onopentag: (name, attributes) => {
      if (name === 'c') isShared = attributes['t'] === 's';
      if (name === 'v' || name === 't') value = '';
    },
    onclosetag: (name) => {
      if ((name === 'v' || name === 't') && value !== null) {
        pieces.push(isShared && name === 'v' ? (shared[Number(value)] ?? '') : value, '\t');
        value = null;
      }
      if (name === 'row') pieces.push('\n');
    },
    ontext: (found) => {
      if (value !== null) value += found;
    },
  });
  return pieces.join('');
}

function read(xml: string, handler: ConstructorParameters<typeof Parser>[0]): void {
  new Parser(handler, { xmlMode: true }).end(xml);
}
