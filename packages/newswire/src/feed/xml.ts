/** Just enough to write well-formed XML. */

type Attributes = Readonly<Record<string, string | number | boolean | null>>;

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** An element whose children are XML already; no children make it empty. Attributes that are null are left out. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** An element with text; empty without text. */
export function textElement(name: string, text: string | null, attributes: Attributes = {}): string {
  return text === null ? '' : element(name, attributes, escapeXml(text));
}

/** An element with HTML, escaped or as a CDATA section. */
export function htmlElement(
  name: string,
  html: string,
  markup: 'escaped' | 'cdata',
  attributes: Attributes = {},
): string {
  const inner =
    markup === 'cdata' ? `<![CDATA[${html.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` : escapeXml(html);
  return element(name, attributes, inner);
}

export function declaration(encoding: string): string {
  return `<?xml version="1.0" encoding="${encoding}"?>\n`;
}
