/** A block that references may lead to. */
export interface KnownBlock {
  readonly page: string;
  readonly text: string;
  /** Cells of a table have no anchor. */
  readonly hasAnchor: boolean;
}

export interface RoamNames {
  /** The name of the note of a page. */
  readonly page: (title: string) => string;
  readonly block: (uid: string) => KnownBlock | null;
}

const code = /```[\s\S]*?```|`[^`\n]*`/g;
const shownMax = 100;

/** The text of a block as Markdown; code stays as it is. */
export function roamText(source: string, names: RoamNames): string {
  let out = '';
  let at = 0;
  for (const found of source.matchAll(code)) {
    out += markup(source.slice(at, found.index), names) + closedFence(found[0]);
    at = found.index + found[0].length;
  }
  return out + markup(source.slice(at), names);
}

/** Roam lets code end on its last line. */
function closedFence(text: string): string {
  return text.startsWith('```') && text.length >= 6 ? text.replace(/([^\n])```$/, '$1\n```') : text;
}

function markup(text: string, names: RoamNames): string {
  if (text.includes('\ue000')) return text;
  return text
    .replace(/\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\} ?/g, (_, state: string) =>
      state === 'DONE' ? '[x] ' : '[ ] ',
    )
    .replace(
      /\{\{(?:\[\[)?embed(?:-path|-children)?(?:\]\])?:\s*\(\(([\w-]+)\)\)\s*\}\}/g,
      (whole, uid: string) => {
        const block = names.block(uid);
        return block === null ? whole : `!${blockLink(block, uid, null)}`;
      },
    )
    .replace(
      /\{\{(?:\[\[)?embed(?:\]\])?:\s*\[\[([^[\]]+)\]\]\s*\}\}/g,
      (_, title: string) => `![[\ue000${names.page(title)}]]`,
    )
    .replace(/\[([^[\]]+)\]\(\(\(([\w-]+)\)\)\)/g, (whole, label: string, uid: string) => {
      const block = names.block(uid);
      return block === null ? whole : blockLink(block, uid, label);
    })
    .replace(
      /\[([^[\]]+)\]\(\[\[([^[\]]+)\]\]\)/g,
      (_, label: string, title: string) => `[[\ue000${names.page(title)}|${label}]]`,
    )
    .replace(/\(\(([\w-]+)\)\)/g, (whole, uid: string) => {
      const block = names.block(uid);
      return block === null ? whole : blockLink(block, uid, shown(block.text));
    })
    .replace(/\[\[([^[\]\ue000]+)\]\]/g, (whole, title: string) => {
      const name = names.page(title);
      return name === title ? whole : `[[${name}|${title}]]`;
    })
    .replaceAll('\ue000', '')
    .replace(/(?<![\w_])__(\S(?:[^_\n]*\S)?)__(?![\w_])/g, '*$1*')
    .replace(/\^\^(\S(?:[^^\n]*\S)?)\^\^/g, '==$1==');
}

function blockLink({ page, hasAnchor }: KnownBlock, uid: string, label: string | null): string {
  const anchor = hasAnchor ? `#^${anchorOf(uid)}` : '';
  return `[[\ue000${page}${anchor}${label === null || label === '' ? '' : `|${label}`}]]`;
}

/** The words of a referenced block, without what would end the link. */
function shown(text: string): string {
  const words = text
    .replace(/[[\]|{}^`#]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > shownMax ? `${words.slice(0, shownMax)}…` : words;
}

/** Anchors of blocks have letters, digits and hyphens only. */
export function anchorOf(uid: string): string {
  return uid.replaceAll('_', '-');
}
