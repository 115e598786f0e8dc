import type { Aligned } from './alignment.ts';
import { bestAligned } from './alignment.ts';
import { stemOf } from './language/text-tokens.ts';
import type { Passage } from './passages.ts';

/** A place in an order, with the noun that it counts. */
interface Ordinal {
  readonly text: string;
  readonly place: number;
  readonly noun: string;
}

const names = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const superlative =
  'largest|biggest|highest|lowest|smallest|greatest|best|worst|longest|fastest|richest|most|least|oldest|youngest|busiest|deadliest|strongest|weakest';
const english = new RegExp(
  String.raw`\b(?:(${names.join('|')})|(\d{1,3})(?:st|nd|rd|th))[ -](?:consecutive |straight |successive |ever )?(\p{L}+)|(?<![-\p{L}])(?<!(?:${names.join('|')})[ -]|\d(?:st|nd|rd|th)[ -])(${superlative})\b`,
  'giu',
);
const chinese =
  /第 ?([一二三四五六七八九十\d]{1,3}) ?(\p{Script=Han}{0,2})|首([一二两三四五六七八九十\d]{1,2}) ?个?(\p{Script=Han})|首(\p{Script=Han})/gu;
const hanPlaces = '一二三四五六七八九十';

function ordinalsOf(text: string): Ordinal[] {
  const found: Ordinal[] = [];
  for (const [whole, name, digits, noun = '', top] of text.matchAll(english)) {
    if (top !== undefined) found.push({ text: whole, place: 1, noun: '!' });
    else {
      const place = name === undefined ? Number(digits) : names.indexOf(name.toLowerCase()) + 1;
      found.push({
        text: whole,
        place,
        noun: new RegExp(`^(?:${superlative})$`, 'iu').test(noun) ? '!' : stemOf(noun),
      });
    }
  }
  for (const [whole, place, noun = '', count, counted, first] of text.matchAll(chinese)) {
    if (count !== undefined) {
      found.push({ text: whole, place: placeOf(count.replace('两', '二')), noun: `首${counted ?? ''}` });
      continue;
    }
    if (first !== undefined) found.push({ text: whole, place: 1, noun: first });
    else if (place !== undefined) found.push({ text: whole, place: placeOf(place), noun: noun.slice(0, 1) });
  }
  return found;
}

function placeOf(text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const value = (digit: string | undefined): number => hanPlaces.indexOf(digit ?? '') + 1;
  if (!text.includes('十')) return value(ones);
  return (tens === '' ? 1 : value(tens)) * 10 + ((ones ?? '') === '' ? 0 : value(ones));
}

/** Ordinals of the claim that no source has, or that the aligned sentences replace by another one. */
export function misplacedOrdinals(claim: Passage, aligned: readonly Aligned[]): string[] {
  const claimed = ordinalsOf(claim.text);
  if (claimed.length === 0) return [];
  const all = aligned.flatMap(({ passage }) => ordinalsOf(passage.text));
  const near = bestAligned(aligned, 0.45, 0.15).flatMap(({ passage }) => ordinalsOf(passage.text));
  const sameScript = aligned.some(({ passage }) => isHan(passage.text)) === isHan(claim.text);
  return claimed
    .filter(({ place, noun }) => {
      const rivals = near.filter((one) => one.noun === noun);
      if (rivals.length > 0) return rivals.every((one) => one.place !== place);
      return place > 2 && sameScript && noun !== '!' && all.every((one) => one.place !== place);
    })
    .map(({ text }) => text);
}

function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
