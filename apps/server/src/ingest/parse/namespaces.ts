/** Vocabularies by what identifies their namespace, lower-case, without scheme and final `/` or `#`. */
const vocabularies: ReadonlyMap<string, string> = new Map([
  ['www.w3.org/2005/atom', 'atom'],
  ['purl.org/atom/ns', 'atom'],
  ['example.com/newformat', 'atom'],
  ['example.com/necho', 'atom'],
  ['purl.org/echo', 'atom'],
  ['purl.org/pie', 'atom'],
  ['purl.org/rss/1.0', 'rss'],
  ['purl.org/net/rss1.1', 'rss'],
  ['my.netscape.com/rdf/simple/0.9', 'rss'],
  ['channel.netscape.com/rdf/simple/0.9', 'rss'],
  ['blogs.law.harvard.edu/tech/rss', 'rss'],
  ['cyber.law.harvard.edu/rss/rss.html', 'rss'],
  ['www.w3.org/1999/02/22-rdf-syntax-ns', 'rdf'],
  ['purl.org/rss/1.0/modules/content', 'content'],
  ['purl.org/dc/elements/1.1', 'dc'],
  ['purl.org/dc/elements/1.0', 'dc'],
  ['purl.org/dc/terms', 'dcterms'],
  ['purl.org/rss/1.0/modules/syndication', 'sy'],
  ['search.yahoo.com/mrss', 'media'],
  ['www.itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['rssnamespace.org/feedburner/ext/1.0', 'feedburner'],
  ['www.pheedo.com/namespace/pheedo', 'pheedo'],
  ['www.w3.org/1999/xhtml', 'xhtml'],
  ['www.w3.org/2000/svg', 'svg'],
  ['www.w3.org/1998/math/mathml', 'mathml'],
]);

/** Common prefixes, for documents without declarations. */
const customaryPrefixes: ReadonlySet<string> = new Set(vocabularies.values());

/** A bound, because each declaration copies the declarations around it. */
const prefixesMax = 100;

/** The vocabulary of each prefix at one place of a document. */
export class NamespaceScope {
  readonly #prefixes: ReadonlyMap<string, string>;
  /** The vocabulary of elements without a namespace, or with an unknown one on the root. */
  readonly #core: string;

  private constructor(prefixes: ReadonlyMap<string, string>, core: string) {
    this.#prefixes = prefixes;
    this.#core = core;
  }

  static ofRoot(rawName: string, attributes: Readonly<Record<string, string>>): NamespaceScope {
    const core = /(?:^|:)(?:feed|entry)$/u.test(rawName) ? 'atom' : 'rss';
    const declared = new NamespaceScope(new Map(), core).inside(attributes);
    if (declared.#prefixes.get('') !== 'other') return declared;
    return new NamespaceScope(new Map([...declared.#prefixes, ['', core]]), core);
  }

  /** The scope inside an element with these attributes. */
  inside(attributes: Readonly<Record<string, string>>): NamespaceScope {
    let prefixes: Map<string, string> | null = null;
    for (const name of Object.keys(attributes)) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      if (this.#prefixes.size >= prefixesMax) continue;
      prefixes ??= new Map(this.#prefixes);
      prefixes.set(name.slice(6), this.#vocabulary(attributes[name] ?? ''));
    }
    return prefixes === null ? this : new NamespaceScope(prefixes, this.#core);
  }

  elementName(rawName: string): string {
    const colon = rawName.indexOf(':');
    const prefix = colon === -1 ? '' : rawName.slice(0, colon);
    const declared = this.#prefixes.get(prefix) ?? (prefix === '' ? this.#core : customary(prefix));
    return `${declared}:${rawName.slice(colon + 1)}`;
  }

  #vocabulary(uri: string): string {
    const key = uri
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//u, '')
      .replace(/[/#]+$/u, '');
    if (key === '') return this.#core;
    return vocabularies.get(key) ?? (key.startsWith('backend.userland.com/rss') ? 'rss' : 'other');
  }
}

function customary(prefix: string): string {
  return customaryPrefixes.has(prefix) ? prefix : 'other';
}
