const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

/** The third-party text outside its markers in a document, or null. */
export function escapeOf(markdown: string): string | null {
  const lines = markdown.split('\n');
  const opens = lines.filter((line) => line.trim() === '<untrusted-data>').length;
  const closes = lines.filter((line) => line.trim() === '</untrusted-data>').length;
  if (opens !== 1 || closes !== 1) return `${opens} opening and ${closes} closing markers`;
  const [before = '', rest = ''] = markdown.split('\n<untrusted-data>\n');
  const [inside = '', after = ''] = rest.split('\n</untrusted-data>');
  if (/globalThis|<script|onerror|WWWW|长长/i.test(before + after)) return 'text outside of the markers';
  const withoutLinks = inside.replaceAll(/^ +(?:- Original: )?<https?:\/\/[^<>\s]+>$/gm, '');
  if (/[<>]|untrusted-data/i.test(withoutLinks.normalize('NFKC'))) return 'a tag between the markers';
  return invisible.test(inside) ? 'an invisible character' : null;
}

/** Ids, addresses, times and names of kinds: what a field outside the untrusted ones may contain. */
const ownText = /^[\w.:/\-+=~?&%#@]*$/;

/** The first text of a structured answer that is neither named as untrusted nor of our own making, or null. */
export function unmarkedOf({ untrusted, ...data }: Readonly<Record<string, unknown>>): string | null {
  const named = new Set(Array.isArray(untrusted) ? untrusted : []);
  const unmarked = (value: unknown, path: string): string | null => {
    if (named.has(path)) return null;
    if (typeof value === 'string') return ownText.test(value) ? null : `${path}: ${value.slice(0, 100)}`;
    if (value === null || typeof value !== 'object') return null;
    for (const [key, one] of Object.entries(value)) {
      const below = Array.isArray(value) ? path : path === '' ? key : `${path}.${key}`;
      const found = unmarked(one, below);
      if (found !== null) return found;
    }
    return null;
  };
  return unmarked(data, '') ?? (invisible.test(JSON.stringify(data)) ? 'an invisible character' : null);
}
