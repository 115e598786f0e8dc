import type { HostileFile, HostileMeans } from './hostile-files.ts';

const megabyte = 1024 ** 2;

/** Pages and texts that cost a parser or Unicode normalization more than their size, or name files and addresses. */
export function hostileMarkup({ canary, address, withBombs }: HostileMeans): readonly HostileFile[] {
  const html = (name: string, text: string): HostileFile => ({
    name: `${name}.html`,
    mediaType: 'text/html',
    bytes: Buffer.from(`<!doctype html>${text}`),
  });
  const plain = (name: string, bytes: Buffer | string): HostileFile => ({
    name: `${name}.txt`,
    mediaType: 'text/plain',
    bytes: Buffer.from(bytes as Buffer),
  });
  const small = [
    html('an unknown encoding', '<meta charset="x-user-defined"><p>x'),
    html(
      'files and addresses',
      `<base href="${address}/"><link rel=stylesheet href=style><img src="file://${canary}"><iframe src="file://${canary}"></iframe><script src="${address}/script"></script><meta http-equiv=refresh content="0;url=${address}/refresh"><p>seen`,
    ),
    plain('letters that grow', '\ufdfa'.repeat(megabyte / 16)),
    plain('halves of characters', Buffer.from('\ud800'.repeat(megabyte / 16), 'utf16le')),
  ];
  if (!withBombs) return small;
  return [
    ...small,
    html('five million open elements', '<div>'.repeat(5 * megabyte)),
    html('five million closed elements', '</div>'.repeat(5 * megabyte)),
    html('a million attributes', `<p ${'a=1 '.repeat(megabyte)}>`),
    html('an attribute of ten megabytes', `<p a="${'x'.repeat(10 * megabyte)}">`),
    html('comments without end', '<!--'.repeat(5 * megabyte)),
    html('sections without end', '<![CDATA['.repeat(2 * megabyte)),
    html('scripts without end', '<script>'.repeat(2 * megabyte)),
    html('less-than signs', '<'.repeat(20 * megabyte)),
    html('references without end', '&'.repeat(20 * megabyte)),
    html('blanks', ' '.repeat(30 * megabyte)),
    html('marks', `<p>${'e\u0301\u0316'.repeat(megabyte)}${'\u0301'.repeat(5 * megabyte)}`),
    plain('marks', `e${'\u0301'.repeat(2 * megabyte)}`),
    plain('marks of two classes', 'a\u0301\u0316'.repeat(megabyte)),
    plain('blanks', ' '.repeat(4 * megabyte)),
    plain('zeros', Buffer.alloc(4 * megabyte)),
    plain('one line of noise', Buffer.from(Array.from({ length: megabyte }, (_, at) => (at * 7_919) & 255))),
  ];
}
