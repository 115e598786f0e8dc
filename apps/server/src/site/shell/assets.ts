import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of the site under an address that changes with its bytes, so that it can be cached forever. */
export interface Asset {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

const font = 'font/woff2';

/** The latin part of both families is on every page; the rest is loaded on demand. */
export const fonts = {
  serif: packaged('@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2'),
  serifMore: packaged('@fontsource-variable/source-serif-4/files/source-serif-4-latin-ext-wght-normal.woff2'),
  sans: packaged('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  sansMore: packaged('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'),
};

const latin =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';
const latinMore = 'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+1EF2-1EFF';

const fontFaces = [
  face('Source Serif 4', '200 900', fonts.serif, latin),
  face('Source Serif 4', '200 900', fonts.serifMore, latinMore),
  face('Inter', '100 900', fonts.sans, latin),
  face('Inter', '100 900', fonts.sansMore, latinMore),
].join('');

const sheets = ['tokens', 'controls', 'frame', 'news', 'charts', 'reference', 'print'];

export const styles = asset(
  'site.css',
  'text/css; charset=utf-8',
  Buffer.from(fontFaces + sheets.map((name) => ownText(`styles/${name}.css`)).join('')),
);

/** Of the console: the same fonts and colours, its own frame and components. */
export const consoleStyles = asset(
  'console.css',
  'text/css; charset=utf-8',
  Buffer.from(
    fontFaces +
      ['tokens', 'console/frame', 'console/controls', 'console/lists']
        .map((name) => ownText(`styles/${name}.css`))
        .join(''),
  ),
);

export const scripts = {
  theme: asset('theme.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/theme.js'))),
  upload: asset('upload.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/upload.js'))),
  enhancements: asset(
    'enhancements.js',
    'text/javascript; charset=utf-8',
    Buffer.from(ownText('scripts/enhancements.js')),
  ),
  /** Only on the pages that ask for a passkey. */
  passkey: asset('passkey.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/passkey.js'))),
  dialogs: asset('dialogs.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/dialogs.js'))),
  selection: asset(
    'selection.js',
    'text/javascript; charset=utf-8',
    Buffer.from(ownText('scripts/selection.js')),
  ),
  /** Only on the pages of the desk. */
  desk: asset('desk.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/desk.js'))),
  palette: asset('palette.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/palette.js'))),
  preview: asset('preview.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/preview.js'))),
  /** Only on public pages. */
  device: asset('device.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/device.js'))),
  /** On the front page, and on the pages of saved searches. */
  watch: asset('watch.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/watch.js'))),
  picking: asset('picking.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/picking.js'))),
  /** On pages with content of the public log. */
  verify: asset('verify.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/verify.js'))),
  /** On stories whose digest has quotes. */
  quotes: asset('quotes.js', 'text/javascript; charset=utf-8', Buffer.from(ownText('scripts/quotes.js'))),
  /** Loaded when a reader checks quotes. */
  quoteChecker: asset(
    'quote-checker.js',
    'text/javascript; charset=utf-8',
    Buffer.from(ownText('scripts/generated/quote-checker.js')),
  ),
  /** Loaded when a reader verifies something. */
  logVerifier: asset(
    'log-verifier.js',
    'text/javascript; charset=utf-8',
    Buffer.from(ownText('scripts/generated/log-verifier.js')),
  ),
};

export const assets: readonly Asset[] = [
  ...Object.values(fonts),
  styles,
  consoleStyles,
  ...Object.values(scripts),
];

/** At an address that never changes: browsers ask there for its next version. */
export const offlineScript = Buffer.from(ownText('scripts/offline.js'));

export const favicon = Buffer.from(ownText('favicon.svg'));

function packaged(name: string): Asset {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(name));
  return asset(name.slice(name.lastIndexOf('/') + 1), font, bytes);
}

function asset(name: string, contentType: string, bytes: Buffer): Asset {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const dot = name.lastIndexOf('.');
  return { path: `/assets/${name.slice(0, dot)}-${tag}${name.slice(dot)}`, contentType, bytes };
}

function face(family: string, weights: string, { path }: Asset, range: string): string {
  return `@font-face{font-family:'${family}';src:url(${path}) format('woff2');font-weight:${weights};font-display:optional;unicode-range:${range}}\n`;
}

function ownText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
