/**
 * Whatever the bytes are, a browser shows nothing of them and runs nothing in them; nor may a page of another origin
 * embed them.
 */
export function attachmentHeaders(name: string): Readonly<Record<string, string>> {
  return contentHeaders(attachment(name));
}

/** The same, but that a browser shows it: for `previewOf` alone to decide. */
export function inlineHeaders(
  name: string,
  /** To whose pages. */
  embeddedBy: 'same-origin' | 'cross-origin',
): Readonly<Record<string, string>> {
  return {
    ...contentHeaders(disposition('inline', name)),
    'cross-origin-resource-policy': embeddedBy,
  };
}

function contentHeaders(contentDisposition: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': contentDisposition,
    'cross-origin-resource-policy': 'same-origin',
  };
}

export function attachment(name: string): string {
  return disposition('attachment', name);
}

/** Both forms of RFC 6266: the plain one for clients that know no other, such as curl, without what is not ASCII. */
function disposition(type: 'attachment' | 'inline', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const unknownMediaType = 'application/octet-stream';
const inertMediaType =
  /^(?:(?:image|audio|video|font)\/[\w.+-]+|text\/(?:plain|csv|markdown)|application\/(?:pdf|json|zip|gzip|rtf|msword|vnd\.[\w.+-]+))$/i;
const activeMediaType = /xml|html|script|svg|css|wasm|flash|java/i;

/**
 * The media type is what the sender says, and a page that loads content as its script or style is stopped by nothing
 * but that type: so none that a browser runs or styles with, and none it might come to know, is ever sent back.
 */
export function sentMediaType(stated: string): string {
  return inertMediaType.test(stated) && !activeMediaType.test(stated) ? stated : unknownMediaType;
}
