import { Parser } from 'htmlparser2';

import { decodeAs } from './plain-text.ts';

const unread = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
]);
const breaking = new Set(
  'address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section summary table tbody tfoot thead title tr ul'.split(
    ' ',
  ),
);

/** The text of a page, a block per line. */
export function htmlText(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1');
  const [, label] = /<meta[^>]+charset=["']?([\w-]{1,40})/i.exec(head) ?? [];
  return textOfHtml(decodeAs(bytes, label));
}

export function textOfHtml(html: string): string {
  const pieces: string[] = [];
  let unreadDepth = 0;
  let preDepth = 0;
  const parser = new Parser({
    onopentag: (name) => {
      if (unread.has(name)) unreadDepth += 1;
      if (name === 'pre') preDepth += 1;
      if (breaking.has(name)) pieces.push('\n');
      else if (name === 'td' || name === 'th') pieces.push('\t');
    },
    onclosetag: (name) => {
      if (unread.has(name)) unreadDepth = Math.max(0, unreadDepth - 1);
      if (name === 'pre') preDepth = Math.max(0, preDepth - 1);
      if (breaking.has(name)) pieces.push('\n');
    },
    ontext: (text) => {
      if (unreadDepth === 0) pieces.push(preDepth > 0 ? text : text.replaceAll(/\s+/g, ' '));
    },
  });
  parser.end(html);
  return pieces.join('');
}
