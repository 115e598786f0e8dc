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
  const withoutLinks = inside.replaceAll(/Original: <https?:\/\/[^<>\s]+>/g, '');
  if (/[<>]/.test(withoutLinks)) return 'a tag between the markers';
  return invisible.test(inside) ? 'an invisible character' : null;
}
