import { decodeHTMLStrict } from 'entities';

const doctypeCharsMax = 65_536;
const entitiesMax = 64;
/** Bounds the growth of a document by its entities; enough for every real document. */
const expansionsMax = 10_000;

/** Replaces the character references of one document. */
export class XmlReferences {
  readonly #declared: ReadonlyMap<string, string>;
  #expansions = 0;

  constructor(declared: ReadonlyMap<string, string>) {
    this.#declared = declared;
  }

  /** HTML references are replaced in every document, because publishers use them without a declaration. */
  decode(text: string): string {
    if (!text.includes('&')) return text;
    const decoded = decodeHTMLStrict(text);
    return this.#declared.size === 0 ? decoded : this.#expand(decoded);
  }

  #expand(text: string): string {
    const parts: string[] = [];
    let start = 0;
    for (const match of text.matchAll(/&([A-Za-z_][\w.-]{0,63});/gu)) {
      if (this.#expansions >= expansionsMax) break;
      this.#expansions += 1;
      const value = this.#declared.get(match[1] ?? '');
      if (value === undefined) continue;
      parts.push(text.slice(start, match.index), value);
      start = match.index + match[0].length;
    }
    return start === 0 ? text : parts.join('') + text.slice(start);
  }

  decodeAll(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const names = Object.keys(attributes);
    if (!names.some((name) => attributes[name]?.includes('&'))) return attributes;
    return Object.fromEntries(names.map((name) => [name, this.decode(attributes[name] ?? '')]));
  }
}

/**
 * Removes the document type before parsing. Of its entities, only short plain text is used: no external entities and no
 * references to other entities, so that no reference can expand.
 */
export function readProlog(text: string): { readonly rest: string; readonly references: XmlReferences } {
  const entities = new Map<string, string>();
  const references = new XmlReferences(entities);
  const start = doctypeStart(text);
  if (start === -1) return { rest: text, references };
  const close = text.indexOf('>', start);
  const bracket = text.indexOf('[', start);
  const hasSubset = bracket !== -1 && bracket < close;
  const subset = hasSubset ? text.slice(bracket, bracket + doctypeCharsMax) : '';
  const end = /\]\s*>/u.exec(subset);
  if (end === null) return { rest: close === -1 ? '' : text.slice(close + 1), references };
  const declarations = subset
    .slice(0, end.index)
    .matchAll(/<!ENTITY\s+([A-Za-z_][\w.-]{0,63})\s+(["'])([^"'&%<]{0,256})\2\s*>/gu);
  for (const [, name = '', , value = ''] of declarations)
    if (entities.size < entitiesMax) entities.set(name, value);
  return { rest: text.slice(bracket + end.index + end[0].length), references };
}

/** The offset after white space, declarations and comments; -1: an element comes first. */
function doctypeStart(text: string): number {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : null;
    if (end === null) return /^<!doctype/iu.test(text.slice(at, at + 9)) ? at : -1;
    const closed = text.indexOf(end, at + 2);
    if (closed === -1) return -1;
    at = closed + end.length;
  }
  return -1;
}
