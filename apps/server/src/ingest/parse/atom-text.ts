import type { RichText } from './feed-draft.ts';
import type { XmlElement } from './xml-tree.ts';
import { hasElements, innerMarkup, innerText } from './xml-tree.ts';

/** A title, summary or content of Atom 0.3 or 1.0; its attributes state the encoding. */
export function textConstruct(element: XmlElement): RichText {
  const type = element.attributes['type']?.trim().toLowerCase() ?? '';
  const mode = element.attributes['mode']?.trim().toLowerCase() ?? '';
  if (mode === 'base64') return decodedBase64(innerText(element), type);
  if (hasElements(element))
    return {
      text: isHtml(type) && wrapsEscapedMarkup(element) ? innerText(element) : innerMarkup(element),
      form: 'html',
    };
  const text = innerText(element);
  if (type === 'xhtml' || type === 'application/xhtml+xml')
    return mode === 'escaped' ? { text, form: 'html' } : { text, form: 'plain' };
  if (isHtml(type) || mode === 'escaped') return { text, form: 'html' };
  if (type === 'text' || type === 'text/plain') return { text, form: 'plain' };
  if (type === '' || type.startsWith('text/') || /[+/]xml$/u.test(type)) return { text, form: 'unknown' };
  return decodedBase64(text, type);
}

function isHtml(type: string): boolean {
  return type === 'html' || type === 'text/html';
}

/** `<content type="html"><div>&lt;p&gt;…`: escaped HTML inside XHTML. */
function wrapsEscapedMarkup(element: XmlElement): boolean {
  const inner = element.children.filter((child) => typeof child !== 'string');
  const [only] = inner;
  return inner.length === 1 && only !== undefined && !hasElements(only) && /<[a-z]/iu.test(innerText(only));
}

function decodedBase64(text: string, type: string): RichText {
  const compact = text.replaceAll(/\s+/gu, '');
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/u.test(compact)) return { text, form: 'unknown' };
  const decoded = Buffer.from(compact, 'base64').toString('utf8');
  if (/(?![\t\n\r])\p{Cc}|\ufffd/u.test(decoded)) return { text, form: 'unknown' };
  return { text: decoded, form: type === 'text' || type === 'text/plain' ? 'plain' : 'html' };
}
