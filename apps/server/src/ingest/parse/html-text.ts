import { isHiddenElement } from './hidden-element.ts';
import { readMarkup } from './markup-events.ts';
import { repairMojibake } from './mojibake.ts';

const markupBounds = { xml: false, depthMax: 256, elementsMax: 200_000 } as const;

const silentElements: ReadonlySet<string> = new Set(
  'script style noscript template svg math head textarea select option button audio video canvas'.split(' '),
);
const blockElements: ReadonlySet<string> = new Set(
  'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
);
const inlineElements: ReadonlySet<string> = new Set(
  'a abbr acronym applet b bdi bdo big blink cite code data del dfn em embed font frame i iframe img input ins kbd label link map mark marquee meta meter nobr object picture progress q rp rt ruby s samp small source span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** The visible text, with a line per block. */
export function htmlText(html: string): string {
  if (!/[<&]/u.test(html)) return plainText(html);
  const parts: string[] = [];
  // Counts the open elements from the outermost one whose text is not shown.
  let silent = 0;
  readMarkup(html, markupBounds, {
    open: (name, attributes) => {
      if (silent > 0 || silentElements.has(name) || isHiddenElement((key) => attributes[key])) silent += 1;
      else if (blockElements.has(name)) parts.push('\n');
    },
    close: (name) => {
      if (silent > 0) silent -= 1;
      else if (blockElements.has(name)) parts.push('\n');
    },
    text: (text) => {
      // Only elements create line breaks, not white space in the source.
      if (silent === 0) parts.push(/[\t\n\r]/u.test(text) ? text.replaceAll(/[\t\n\r]+/gu, ' ') : text);
    },
  });
  return tidyLines(parts.join(''));
}

/** Normalises text that is no markup in the same way. */
export function plainText(text: string): string {
  return tidyLines(text.replaceAll(/\r\n?/gu, '\n'));
}

/**
 * RSS titles are text or HTML, and the feed does not say which. Only known HTML tags and character references count as
 * markup, so that "Array<T> considered" stays unchanged.
 */
export function looksLikeHtml(text: string): boolean {
  if (/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/iu.test(text)) return true;
  for (const [, name = ''] of text.matchAll(/<\/?([a-z][a-z0-9]{0,15})(?=[\s/>])[^<>]{0,2000}>/giu)) {
    const tag = name.toLowerCase();
    if (inlineElements.has(tag) || blockElements.has(tag) || silentElements.has(tag)) return true;
  }
  return false;
}

/** Text that may be HTML, on one line. Unknown tags stay unchanged. */
export function titleText(text: string): string {
  if (!looksLikeHtml(text)) return oneLine(text);
  const escaped = text.replaceAll(/<(?!\/?([a-z][a-z0-9]{0,15})[\s/>]|!--)/giu, '&lt;');
  return oneLine(htmlText(escaped));
}

export function oneLine(text: string): string {
  return readable(text).replaceAll(/\s+/gu, ' ').trim();
}

function tidyLines(text: string): string {
  return readable(text)
    .replaceAll(/[^\S\n]{2,}|[^\S\n ]/gu, ' ')
    .replaceAll(/ ?\n[\n ]*/gu, '\n')
    .trim();
}

/** Control, format and filler characters that no word contains; the tags block can hide a whole text. */
const invisible =
  /(?![\t\n\r])[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** Persian and Indic words contain joiners, and so do composed emoji; between other characters they are invisible. */
const strayJoiner =
  /(?<![\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Emoji_Presentation}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** Removes control and invisible characters. */
function readable(text: string): string {
  // A fast path for plain ASCII.
  if (!/[^\t\n\r -~]/u.test(text)) return text;
  return repairMojibake(text).replaceAll(invisible, '').replaceAll(strayJoiner, '');
}
