import type { Writable } from 'node:stream';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { InspectColor } from 'node:util';

import type { Host } from './host.ts';

export type Paint = (style: InspectColor, text: string) => string;

/** Colours on a terminal only, and never against NO_COLOR. */
export function painter(stream: Writable): Paint {
  return (style, text) => styleText(style, text, { stream, validateStream: true });
}

export function isInteractive(host: Host): boolean {
  return host.stdin.isTTY && host.stdout.isTTY;
}

/** Notes are strangers' text: control characters in them could repaint the screen or type into the shell. */
export function printable(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\uFFFD');
}

export function percent(confidence: number): string {
  return `${Math.round(confidence * 100)} %`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function fileSize(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte');
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** Wide characters take two cells; a clipped line is marked. */
export function clip(line: string, cells: number): string {
  let used = 0;
  let out = '';
  for (const character of stripVTControlCharacters(line).replaceAll('\t', '    ')) {
    used +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
        character,
      )
        ? 2
        : 1;
    if (used >= cells) return `${out}…`;
    out += character;
  }
  return out;
}
