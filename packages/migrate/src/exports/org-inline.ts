const link = /\[\[([^[\]]+)\](?:\[([^[\]]*)\])?\]/g;
const code = /(?<=^|[\s('"{[\-–])([=~])(\S(?:.*?\S)?)\1(?=$|[\s)'"}\].,:;!?\-–])/g;
const marks: readonly (readonly [RegExp, string, string])[] = [
  [emphasisOf('\\*'), '**', '**'],
  [emphasisOf('/'), '*', '*'],
  [emphasisOf('_'), '<u>', '</u>'],
  [emphasisOf('\\+'), '~~', '~~'],
  [/\^\^(\S(?:.*?\S)?)\^\^/g, '==', '=='],
];
const picture = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|heic)$/i;
/** Longer lines are data, and left as they are. */
const lineCharsMax = 10_000;

/** Markup of Org inside a line as Markdown. Links and code are left out of emphasis. */
export function orgInline(line: string): string {
  if (line.length > lineCharsMax || /[\ue000\ue001]/.test(line)) return line;
  const parts: string[] = [];
  const keep = (text: string): string => `\ue000${parts.push(text) - 1}\ue001`;
  let text = line
    .replace(code, (_, _mark: string, inner: string) => keep(codeSpan(inner)))
    .replace(link, (_, target: string, label?: string) => keep(markdownLink(target, label)))
    .replace(/\[fn:([\w-]+)\](?::)?/g, (whole, name: string, at: number) =>
      keep(at === 0 && !whole.endsWith(':') ? `[^${name}]:` : `[^${name}]`),
    );
  for (const [pattern, open, close] of marks) text = text.replace(pattern, `${open}$1${close}`);
  // Kept parts are nested where a link has code as its label.
  for (let round = 0; round < 3; round += 1)
    text = text.replace(/\ue000(\d+)\ue001/g, (_, at: string) => parts[Number(at)] ?? '');
  return text;
}

function emphasisOf(mark: string): RegExp {
  return new RegExp(
    `(?<=^|[\\s('"{\\-–\\ue001])${mark}(?=\\S)((?:(?!${mark}).)*?\\S)${mark}(?=$|[\\s)'"}.,:;!?\\-–\\ue000])`,
    'g',
  );
}

function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

function markdownLink(target: string, label: string | undefined): string {
  const isAddress =
    /^(?:https?|mailto|ftp|tel|doi|news|file|attachment|id):/i.test(target) ||
    /^(?:\.{0,2}\/|~\/)/.test(target);
  if (!isAddress) return label === undefined ? `[[${target}]]` : pageLink(target, label);
  const path = target.replace(/^(?:file|attachment):/i, '');
  const address = encoded(path);
  const isPicture = picture.test(path.split('?')[0] ?? '');
  if (label === undefined)
    return isPicture ? `![](${address})` : `[${target.replace(/[[\]]/g, ' ')}](${address})`;
  return `${isPicture && !/^https?:/.test(target) ? '!' : ''}[${label}](${address})`;
}

/** Blocks of Logseq have no name. */
function pageLink(target: string, label: string): string {
  return target.startsWith('((') ? `[${label}](${target})` : `[[${target}|${label}]]`;
}

function encoded(address: string): string {
  return address.replace(/[\s()<>]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
