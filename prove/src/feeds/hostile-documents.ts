/** Documents made to cost a reader much time or memory; each is generated on demand. */
export function hostileDocuments(megabytes: number): ReadonlyMap<string, () => string> {
  const size = megabytes * 1024 * 1024;
  const fill = (piece: string): string => piece.repeat(Math.floor(size / piece.length));
  const rss = (inside: string): string =>
    `<rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;
  const item = (inside: string): string =>
    rss(`<item><title>One</title><description>${inside}</description></item>`);
  const laughs = Array.from(
    { length: 20 },
    (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
  ).join('');
  return new Map([
    ['entities that refer to entities', () => `<!DOCTYPE rss [<!ENTITY l0 "ha">${laughs}]>${item('&l20;')}`],
    [
      'one entity, used very often',
      () => `<!DOCTYPE rss [<!ENTITY a "${'a'.repeat(250)}">]>${item(fill('&a;'))}`,
    ],
    ['an entity from a file', () => `<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]>${item('&f;')}`],
    ['elements in elements', () => rss(fill('<a>'))],
    ['HTML in HTML', () => item(fill('&lt;b&gt;'))],
    [
      'opened, then closed by other names',
      () => `${rss(fill('<a>').slice(0, size / 2))}${fill('</b>').slice(0, size / 2)}`,
    ],
    [
      'attributes',
      () => rss(`<item ${Array.from({ length: size / 16 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
    ],
    [
      'namespaces',
      () =>
        rss(
          Array.from({ length: size / 60 }, (_, at) => `<x xmlns:p${at}="http://a.example/${at}"/>`).join(''),
        ),
    ],
    ['bases in bases', () => rss(fill('<x xml:base="a/b/c/"><link>d</link></x>'))],
    ['entries', () => rss(fill('<item><title>a</title></item>'))],
    ['empty entries', () => rss(fill('<item/>'))],
    ['white space', () => item(`a${fill(' ')}b`)],
    ['white space and line breaks', () => item(`a${fill(' \n')}b`)],
    ['a title without end', () => rss(`<item><title>${fill('a&lt;b ')}</title></item>`)],
    ['open angle brackets', () => item(fill('&lt;'))],
    ['CDATA that never ends', () => item(`<![CDATA[${fill('<![CDATA[')}`)],
    ['a comment that never ends', () => rss(`<!--${fill('<!--')}`)],
    ['a document type that never ends', () => `<!DOCTYPE rss [${fill('<!ENTITY ')}`],
    ['a date without end', () => rss(`<item><title>a</title><pubDate>${fill('1 Jan ')}</pubDate></item>`)],
    ['an author without end', () => rss(`<item><title>a</title><author>${fill('a@')}</author></item>`)],
    [
      'an address without end',
      () => rss(`<item><title>a</title><link>http://a.example/${fill('../')}</link></item>`),
    ],
    ['JSON in JSON', () => `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(size / 2)}`],
    ['text of no kind', () => fill('\u0000\u0001')],
  ]);
}
