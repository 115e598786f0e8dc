import { createRequire } from 'node:module';

import { temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import { createBoundedQueue } from '../../foundation/limits/bounded-queue.ts';
import { ProblemError } from '../../foundation/problem.ts';

export interface PreviewText {
  /** The kind of resource. */
  readonly kick: string;
  readonly title: string;
  /** Counts or dates. */
  readonly foot: string;
}

const size = { width: 1200, height: 630 } as const;
const margin = 80;
const linesMax = 4;

const { resolve } = createRequire(import.meta.url);
const fontFiles = [
  '@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf',
  '@expo-google-fonts/noto-sans-sc/600SemiBold/NotoSansSC_600SemiBold.ttf',
].map((name) => resolve(name));

// Drawing takes a thread some tens of milliseconds: a few at a time, some wait, the rest get 503.
const places = createBoundedQueue({ runningMax: 2, placesMax: 34 });

/** A preview picture for other sites, as PNG. */
export async function drawPreview(text: PreviewText): Promise<Buffer> {
  const place = places.take();
  if (place === null)
    throw new ProblemError(temporarilyUnavailable, 'Too many pictures.', { retryAfterSeconds: 5 });
  try {
    const drawn = await place.run(async () => {
      const { renderAsync } = await import('@resvg/resvg-js');
      return renderAsync(previewSvg(text), {
        font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Source Serif 4' },
      });
    });
    return drawn.asPng();
  } finally {
    place.leave();
  }
}

/** Exported for its test: third-party text must stay text in it. */
export function previewSvg({ kick, title, foot }: PreviewText): string {
  const lines = wrapped(drawable(title), 64);
  const fontSize = lines.length > 3 ? 56 : 64;
  const shown = lines.length > 3 ? wrapped(drawable(title), fontSize).slice(0, linesMax) : lines;
  const written = shown.map(
    (line, index) =>
      `<text x="${margin}" y="${280 + index * fontSize * 1.22}" font-size="${fontSize}" fill="#1d1b18">${xml(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="Source Serif 4, Noto Sans SC" font-weight="600">
<rect width="${size.width}" height="${size.height}" fill="#fdfcfa"/>
<rect x="${margin}" y="56" width="${size.width - 2 * margin}" height="3" fill="#1d1b18"/>
<rect x="${margin}" y="63" width="${size.width - 2 * margin}" height="1.5" fill="#1d1b18"/>
<text x="${margin}" y="124" font-size="50" fill="#1d1b18">Daybook</text>
<text x="${margin}" y="190" font-size="28" fill="#9c3d16">${xml(firstLine(kick, 28))}</text>
${written.join('\n')}
<rect x="${margin}" y="560" width="${size.width - 2 * margin}" height="1.5" fill="#e2ddd5"/>
<text x="${margin}" y="598" font-size="26" fill="#6a645c">${xml(firstLine(foot, 26))}</text>
</svg>`;
}

function firstLine(text: string, fontSize: number): string {
  const [line = '', ...more] = wrapped(drawable(text), fontSize);
  return more.length === 0 ? line : `${line}…`;
}

const titleCharsMax = 200;

/** Control, formatting and direction characters would move adjacent text. */
function drawable(text: string): string {
  return Array.from(
    text
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  )
    .slice(0, titleCharsMax)
    .join('');
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]|\p{Extended_Pictographic}/u;

/** Breaks lines by estimated width: at any Han character, between words, and inside a word longer than a line. */
function wrapped(text: string, fontSize: number): readonly string[] {
  const room = (size.width - 2 * margin) / fontSize;
  const widthOf = (piece: string): number =>
    Array.from(piece).reduce(
      (sum, sign) => sum + (wide.test(sign) ? 1 : /[A-ZMW@%]/.test(sign) ? 0.72 : 0.54),
      0,
    );
  const pieces = text.match(/\p{Script=Han}[\p{P}]?|[^\s\p{Script=Han}]{1,24}|\s+/gu) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    if (line !== '' && widthOf(line + piece.trimEnd()) > room) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
    } else line += line === '' ? piece.trimStart() : piece;
  }
  if (line !== '') lines.push(line.trimEnd());
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax - 1), `${lines[linesMax - 1]}…`];
}

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => names[sign] ?? '');
}
