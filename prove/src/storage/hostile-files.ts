/** Bytes that would run if a browser used their real type, and the type that their sender declares. */
export interface HostileFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** What hostile documents try to reach: a file with a secret, and a server that counts connections. */
export interface HostileMeans {
  readonly canary: string;
  readonly address: string;
  /** Also those that cost seconds to make or to read. */
  readonly withBombs: boolean;
}

/** Each reports to the address when it is shown or run. */
export function hostileFiles(beacon: string): readonly HostileFile[] {
  const html = `<!doctype html><img src="${beacon}?shown"><script>new Image().src=${JSON.stringify(`${beacon}?html`)}</script>`;
  const script = `new Image().src=${JSON.stringify(`${beacon}?script`)};`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="new Image().src='${beacon}?svg'"><script>new Image().src='${beacon}?svg'</script></svg>`;
  const style = `*{background:url("${beacon}?style")}`;
  const stated = (kind: string, bytes: string | Buffer, mediaTypes: readonly string[]): HostileFile[] =>
    mediaTypes.map((mediaType, index) => ({
      name: `${kind} ${index}.${kind}`,
      mediaType,
      bytes: Buffer.from(bytes),
    }));
  const behind = (head: Buffer | string, text: string): Buffer =>
    Buffer.concat([Buffer.from(head), Buffer.from(text)]);
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const xml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`;
  const mhtml = `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${html}`;
  return [
    ...stated('html', html, ['text/html', 'image/png', 'text/plain', 'application/pdf', 'video/mp4']),
    ...stated('svg', svg, ['image/svg+xml', 'image/png', 'text/xml']),
    ...stated('js', script, ['text/javascript', 'application/javascript', 'image/gif', 'application/json']),
    ...stated('css', style, ['text/css', 'text/plain']),
    ...stated('xhtml', xml, ['application/xhtml+xml', 'application/rss+xml', 'image/webp']),
    ...stated('mht', mhtml, ['message/rfc822', 'multipart/related']),
    ...stated('gif', `GIF89a/*${html}*/=1;${script}`, ['image/gif', 'text/javascript', 'text/html']),
    ...stated('png', behind(png, html), ['image/png', 'text/html']),
    ...stated('pdf', `%PDF-1.4\n${html}`, ['application/pdf', 'text/html']),
    ...stated('zip', behind('PK\u0003\u0004', html), ['application/zip', 'text/html']),
    ...stated('jpg', behind(Buffer.from('ffd8ffe0', 'hex'), `/*${html}*/`), ['image/jpeg', 'text/html']),
    ...stated('txt', behind(Buffer.from([0xff, 0xfe]), Buffer.from(html, 'utf16le').toString('latin1')), [
      'text/plain',
    ]),
  ];
}
