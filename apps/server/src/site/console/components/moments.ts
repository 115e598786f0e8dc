import { html } from 'ghtml';

import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { isoMilliseconds, parseIsoInstant } from '../../../foundation/instant.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
import { wordsOf } from '../../shell/words/words.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
/** Older instants are shown as a date. */
const relativeDaysMax = 30;

/** "8 min. ago" with the exact time as its title; null is `never`. */
export function ago(
  written: EpochMicroseconds | string | null,
  now: EpochMicroseconds,
  language: InterfaceLanguage,
): string {
  if (written === null) return wordsOf(language).console.never;
  const at = typeof written === 'string' ? instantOf(written) : written;
  const iso = isoMilliseconds(at);
  const exact = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return html`<time datetime="${iso}" title="${exact}">${readable(at, now, language)}</time>`;
}

function instantOf(text: string): EpochMicroseconds {
  const parsed = parseIsoInstant(text);
  if (!parsed.ok) throw new Error(`not an instant: ${text}`);
  return parsed.value;
}

function readable(at: EpochMicroseconds, now: EpochMicroseconds, language: InterfaceLanguage): string {
  const seconds = Number((at - now) / 1_000_000n);
  if (Math.abs(seconds) > relativeDaysMax * 86_400)
    return new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(Number(at / 1_000n));
  const [unit, length] = units.find(([, long]) => Math.abs(seconds) >= long) ?? (['second', 60] as const);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.trunc(seconds / length), unit);
}
