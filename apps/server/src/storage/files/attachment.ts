/** Browsers neither render nor run the content, regardless of its type; pages of other origins cannot embed it. */
export function attachmentHeaders(name: string): Readonly<Record<string, string>> {
  return contentHeaders(attachment(name));
}

/** The same, except that browsers render it: only for content that `previewOf` allows. */
export function inlineHeaders(
  name: string,
  /** The origin whose pages may embed it. */
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

/** Both forms of RFC 6266: the plain one, without non-ASCII characters, is for clients such as curl. */
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
 * The sender states the media type, and only that type prevents a page from loading content as its script or style:
 * so no type that a browser runs or styles with, or might in future, is returned.
 */
export function sentMediaType(stated: string): string {
  return inertMediaType.test(stated) && !activeMediaType.test(stated) ? stated : unknownMediaType;
}
