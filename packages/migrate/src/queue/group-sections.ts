import type { NoteSection, SectionGroup, SectionText } from '../chunks/document-cutter.ts';
import type { Classification, NoteBasis } from '../classify/classification.ts';
import { namedList } from '../notes/classify-note.ts';
import { isDateLine, yearOf } from '../sources/journal-date.ts';
import type { Target } from '../targets/target.ts';
import { appendedTargets } from '../targets/target.ts';
import { trustedFrom } from './queued-chunk.ts';

/** Whether a note stays whole: if it has one topic, always, or never. */
export type SplitMode = 'auto' | 'whole' | 'sections';

/** `isWhole` is true for all sections of a note together. Without headings, only the text itself is read. */
export type ClassifySection = (
  headings: readonly string[] | null,
  text: string,
  isWhole: boolean,
) => Classification;

/** A section shorter than this is no topic of its own. */
const ownTopicCharsMin = 40;
/** The parts of a note that belong to lists must be at least this share of it. */
const listShare = 0.6;
/** A longer note is no page of lists; its sections are not classified one by one. */
const listCharsMax = 200_000;
/** A note is never scattered over more targets than these. */
const targetsMax = 3;

/**
 * A note is one chunk. It is cut only where its sections clearly belong to different lists of its owner, and where the
 * vault does not say what the note is. A journal of several years is cut into its entries.
 */
export function groupSections(
  sections: readonly NoteSection[],
  mode: SplitMode,
  classify: ClassifySection,
  textOf: SectionText,
): readonly SectionGroup[] {
  if (mode === 'sections')
    return sections.map((_, at) => groupOf(sections, [at], sections.length === 1 ? 'note' : 'section'));
  const all = groupOf(
    sections,
    sections.map((_, at) => at),
    'note',
  );
  if (mode === 'whole' || sections.length < 2) return [all];
  const { basis } = classify(all.headings, textOf(all.sections), true);
  if (basis !== undefined && !openBases.has(basis)) return [all];
  const entries = journalEntries(sections);
  if (entries !== null) return entries.map((entry) => groupOf(sections, entry, 'entry'));
  const chars = sections.reduce((sum, { text }) => sum + text.length, 0);
  return (chars > listCharsMax ? null : splitByList(sections, classify, textOf)) ?? [all];
}

/** Of such a note only the words are known. */
const openBases: ReadonlySet<NoteBasis> = new Set(['words', 'text']);

/** The parts of a note by list, or null where it is no collection of lists. */
function splitByList(
  sections: readonly NoteSection[],
  classify: ClassifySection,
  textOf: SectionText,
): readonly SectionGroup[] | null {
  // The names of files and folders, and words in headings, make no list of a text about something else.
  const isConfirmed = (headings: readonly string[], target: Target, text: string): boolean =>
    namedList(headings.at(-1) ?? '') === target || classify(null, text, false).target === target;
  const parts = partsOf(sections).map((part) => {
    const group = groupOf(sections, part, 'section');
    const text = textOf(part);
    const { target, confidence } = classify(group.headings, text, false);
    const isClear = confidence >= trustedFrom && text.trim().length >= ownTopicCharsMin;
    const isList = isClear && lists.has(target) && isConfirmed(group.headings, target, text);
    return { group, target, chars: text.length, isList };
  });
  const listed = parts.filter(({ isList }) => isList);
  const sum = (some: readonly { readonly chars: number }[]): number =>
    some.reduce((total, { chars }) => total + chars, 0);
  const names = new Set(listed.map(({ target }) => target));
  const count = names.size + (listed.length < parts.length ? 1 : 0);
  if (names.size < 2 || count > targetsMax || sum(listed) < sum(parts) * listShare) return null;
  const groups: SectionGroup[] = [];
  const rest: number[] = [];
  for (const [at, part] of parts.entries()) {
    const before = at === 0 ? undefined : parts[at - 1];
    if (!part.isList) rest.push(...part.group.sections);
    else if (before?.isList === true && before.target === part.target) {
      const last = groups.pop();
      groups.push(groupOf(sections, [...(last?.sections ?? []), ...part.group.sections], 'section'));
    } else groups.push(part.group);
  }
  return rest.length === 0 ? groups : [groupOf(sections, rest, 'note'), ...groups];
}

const lists: ReadonlySet<Target> = new Set(appendedTargets);

/** The entries of a journal, or null where the note is none: dates of at least two years head its parts. */
function journalEntries(sections: readonly NoteSection[]): readonly (readonly number[])[] | null {
  const dates = sections.map(({ headings }) => headings.findLast(isDateLine) ?? '');
  const years = dates.flatMap((date) => yearOf(date) ?? []);
  if (new Set(years).size < 2) return null;
  return runs(dates);
}

/** The parts of a note: its sections below the single heading that may contain all of it. */
function partsOf(sections: readonly NoteSection[]): readonly (readonly number[])[] {
  const shared = sharedHeadings(sections.filter(({ headings }) => headings.length > 0)).length;
  return runs(sections.map(({ headings }) => headings.slice(0, shared + 1).join('\n')));
}

/** Places of equal neighbours together. */
function runs(keys: readonly string[]): readonly (readonly number[])[] {
  const out: number[][] = [];
  for (const [at, key] of keys.entries()) {
    if (at > 0 && keys[at - 1] === key) out.at(-1)?.push(at);
    else out.push([at]);
  }
  return out;
}

function groupOf(
  sections: readonly NoteSection[],
  places: readonly number[],
  part: SectionGroup['part'],
): SectionGroup {
  const headings = sharedHeadings(places.flatMap((at) => sections[at] ?? []));
  return { sections: places, headings, part };
}

function sharedHeadings(sections: readonly NoteSection[]): readonly string[] {
  const [first] = sections;
  if (first === undefined) return [];
  const length = first.headings.findIndex((heading, at) =>
    sections.some(({ headings }) => headings[at] !== heading),
  );
  return length === -1 ? first.headings : first.headings.slice(0, length);
}
