import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path/posix';

/** The links of one note, and how many of them lead to an existing file and, if named, to an existing place in it. */
export interface CheckedNote {
  readonly links: number;
  readonly resolved: number;
  readonly unresolved: readonly string[];
}

const noteFile = /\.(?:md|markdown|txt|mdc)$/i;
const wiki = /!?\[\[([^\]|#\n[]*)(?:#([^\]|\n]*))?(?:\\?\|[^\]\n]*)?\]\]/g;
const markdown =
  /!?\[(?:[^\]\n]|\\\])*\]\(\s*(?:<([^<>\n]+)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))(?:\s+"[^"\n]*")?\s*\)/g;

/**
 * The files of a vault with the rules by which Obsidian resolves links, written apart from the migration: a wikilink
 * names a file by any ending of its path without regard to case, a Markdown link by its path from the note or from
 * the top. A heading matches without punctuation, a block by its id.
 */
export class LinkChecker {
  readonly #root: string;
  readonly #byName = new Map<string, string[]>();
  readonly #anchors = new Map<string, ReadonlySet<string>>();

  constructor(root: string) {
    this.#root = root;
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(root.length + 1);
      if (!entry.isFile() || path.startsWith('.')) continue;
      for (const name of new Set([entry.name, entry.name.replace(noteFile, '')])) {
        const key = name.toLowerCase();
        this.#byName.set(key, [...(this.#byName.get(key) ?? []), path]);
      }
    }
  }

  check(note: string): CheckedNote {
    const text = withoutCode(readFileSync(join(this.#root, note), 'utf8'));
    const unresolved: string[] = [];
    let links = 0;
    const count = (raw: string, isResolved: boolean): void => {
      links += 1;
      if (!isResolved) unresolved.push(raw);
    };
    for (const [raw, path = '', anchor] of text.matchAll(wiki)) {
      if (path.trim() === '' || path.includes('://')) continue;
      count(raw, this.#leads(this.#wikiFile(path.trim()), anchor?.replace(/\\$/, '')));
    }
    for (const [raw, angle, bare] of text.matchAll(markdown)) {
      const written = decoded(angle ?? bare ?? '');
      if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i.test(written)) continue;
      const [path = '', ...anchor] = written.split('#');
      const file = this.#markdownFile(note, path.replace(/\?[^/]*$/, ''));
      count(raw, this.#leads(file, anchor.length === 0 ? undefined : anchor.join('#')));
    }
    return { links, resolved: links - unresolved.length, unresolved };
  }

  #leads(file: string | null, anchor: string | undefined): boolean {
    if (file === null) return false;
    if (anchor === undefined || anchor === '' || !noteFile.test(file)) return true;
    const known = this.#anchorsOf(file);
    return anchor.split('#').every((one) => known.has(one.startsWith('^') ? one.toLowerCase() : plain(one)));
  }

  #wikiFile(path: string): string | null {
    const wanted = path.replace(/^\.?\//, '').toLowerCase();
    const candidates = this.#byName.get(basename(wanted)) ?? [];
    const isNamed = (file: string): boolean => {
      const lower = file.toLowerCase();
      return [lower, lower.replace(noteFile, '')].some((one) => one === wanted || one.endsWith(`/${wanted}`));
    };
    return candidates.filter(isNamed).sort((one, other) => one.length - other.length)[0] ?? null;
  }

  #markdownFile(note: string, path: string): string | null {
    for (const place of [join(dirname(note), path), path.replace(/^\//, '')].map(normalize)) {
      for (const file of [place, `${place}.md`]) {
        const whole = join(this.#root, file);
        if (!file.startsWith('..') && existsSync(whole) && statSync(whole).isFile()) return file;
      }
    }
    return null;
  }

  #anchorsOf(file: string): ReadonlySet<string> {
    const known = this.#anchors.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(this.#root, file), 'utf8');
    const found = new Set<string>();
    for (const [, heading = ''] of text.matchAll(/^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/gm))
      found.add(plain(heading));
    for (const [, id = ''] of text.matchAll(/(?:^|\s)(\^[A-Za-z\d-]+)[ \t]*$/gm)) found.add(id.toLowerCase());
    this.#anchors.set(file, found);
    return found;
  }
}

function withoutCode(text: string): string {
  return text
    .replace(/^[ \t>]*(`{3,}|~{3,})[^]*?^[ \t>]*\1[ \t]*$/gm, '')
    .replace(/(`+)(?!`)[^]{0,2000}?(?<!`)\1(?!`)/g, '')
    .replace(/<!--[^]{0,2000}?-->/g, '');
}

function plain(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
