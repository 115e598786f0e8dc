/** Characters of numbers and units in their traditional form, so that 3億 is read as 3亿 is. */
const simplified: ReadonlyMap<string, string> = new Map(
  '億亿 萬万 兩两 個个 時时 鐘钟 點点 週周 號号 歐欧 鎊镑 韓韩 圓圆 幣币 員员 戶户 餘余 約约'
    .split(' ')
    .map(([one = '', other = '']) => [one, other]),
);
const traditional = new RegExp(`[${[...simplified.keys()].join('')}]`, 'gu');

/** A stretch of a text; offsets are those of the normalised text it was found in. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One spelling for what can be written in several: full-width forms, quotation marks, dashes, spaces. A full-width
 * comma becomes a comma and a space, so that it cannot join two numbers into one.
 */
export function normalizeText(text: string): string {
  return text
    .replace(/[，、；：！？（）]/g, (mark) => ` ${mark} `.normalize('NFKC'))
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[„«「『〝]/g, '“')
    .replace(/[»」』〞]/g, '”')
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/[—―]+/g, ' - ')
    .replace(/[・•‧∙]/g, '·')
    .replace(traditional, (character) => simplified.get(character) ?? character)
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

/** Which characters of a text have been read as something; asking costs as much as the stretch is long. */
export class SpanSet {
  readonly #taken: Uint8Array;

  constructor(textLength: number, spans: readonly Span[] = []) {
    this.#taken = new Uint8Array(textLength);
    for (const span of spans) this.add(span);
  }

  add({ start, end }: Span): void {
    this.#taken.fill(1, start, end);
  }

  touches({ start, end }: Span): boolean {
    return this.#taken.subarray(start, end).includes(1);
  }
}

/** Blanks out what one reader has understood, so that the next does not read it again. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    pieces.push(text.slice(from, start), ' '.repeat(end - start));
    from = end;
  }
  return pieces.join('') + text.slice(from);
}
