import type { Brand } from '../foundation/brand.ts';
import type { Result } from '../foundation/result.ts';
import { accepted, refused } from '../foundation/result.ts';
import type { NameFault } from './visible-name.ts';
import { nameFaultOf, nameFaults, unfolded } from './visible-name.ts';

/** For a project, folder or file: in NFC, 1 to 255 bytes, readable, and never a path. */
export type EntryName = Brand<string, 'EntryName'>;

export type EntryNameFault = 'empty' | 'too-long' | 'a-path' | NameFault;

export const entryNameFaults: Readonly<Record<EntryNameFault, string>> = {
  empty: 'must not be empty',
  'too-long': 'has more than 255 bytes',
  'a-path': 'must not be . or .. nor contain / or \\',
  ...nameFaults,
};

const bytesMax = 255;

export function parseEntryName(text: string): Result<EntryName, EntryNameFault> {
  const name = text.normalize('NFC');
  if (name === '') return refused('empty');
  if (Buffer.byteLength(name) > bytesMax) return refused('too-long');
  if (name === '.' || name === '..' || /[/\\]/.test(name)) return refused('a-path');
  const fault = nameFaultOf(name);
  return fault === null ? accepted(name as EntryName) : refused(fault);
}

/**
 * Names with equal folded forms are considered equal: `Straße` and `STRASSE`, `Σας` and `ΣΑΣ`, and names that differ only
 * in joiners or variation selectors, which may be invisible.
 */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase().replaceAll(unfolded, '').normalize('NFC');
}

/** The terms that a name must contain, in any order; null if no name can. */
export function searchTermsOf(text: string): readonly string[] | null {
  const terms = [...new Set(foldName(text).split(/\s+/u))].filter((term) => term !== '');
  return terms.length > 0 && terms.every((term) => nameFaultOf(term) === null) ? terms : null;
}

/** `notes (2).txt`: the name with a number before its extension, truncated if it would be too long. */
export function numberedName(name: EntryName, number: number): EntryName {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const tail = ` (${number})${Buffer.byteLength(ending) > 100 ? '' : ending}`;
  // Never a part of an emoji or of a letter with its marks.
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const letters = Array.from(segmenter.segment(stem), ({ segment }) => segment);
  while (Buffer.byteLength(letters.join('') + tail) > bytesMax) letters.pop();
  return (letters.join('').trimEnd() + tail).normalize('NFC') as EntryName;
}
