import type { NoteSection, SectionGroup } from '../chunks/document-cutter.ts';
import type { Classification } from '../classify/classification.ts';
import { isDateLine } from '../sources/journal-date.ts';
import { trustedFrom } from './queued-chunk.ts';

/** Whether a note stays whole: if it has one topic, always, or never. */
export type SplitMode = 'auto' | 'whole' | 'sections';

export type ClassifySection = (headings: readonly string[], text: string) => Classification;

/** A section shorter than this is no topic of its own. */
const ownTopicCharsMin = 40;
/** A longer file is a collection of notes, regardless of its subject. */
const wholeCharsMax = 200_000;
/** Where more than this share of a note has other topics than the note, it is a collection. */
const collectionShare = 0.5;

/**
 * A note is one chunk, unless parts of it clearly belong elsewhere: those become chunks of their own and the rest
 * stays together. In a journal every entry is a chunk.
 */
export function groupSections(
  sections: readonly NoteSection[],
  mode: SplitMode,
  classify: ClassifySection,
): readonly SectionGroup[] {
  if (mode === 'sections')
    return sections.map((_, at) => groupOf(sections, [at], sections.length === 1 ? 'note' : 'section'));
  const all = sections.map((_, at) => at);
  if (mode === 'whole' || sections.length < 2) return [groupOf(sections, all, 'note')];
  const entries = journalEntries(sections);
  if (entries !== null) return entries.map((entry) => groupOf(sections, entry, 'entry'));
  const chars = sections.reduce((sum, { text }) => sum + text.length, 0);
  if (chars > wholeCharsMax) return partsOf(sections).map((part) => groupOf(sections, part, 'section'));
  return splitByTopic(sections, classify);
}

function splitByTopic(sections: readonly NoteSection[], classify: ClassifySection): readonly SectionGroup[] {
  const all = groupOf(
    sections,
    sections.map((_, at) => at),
    'note',
  );
  const whole = classify(all.headings, textOf(sections, all.sections));
  const parts = partsOf(sections).map((part) => {
    const group = groupOf(sections, part, 'section');
    const text = textOf(sections, part);
    const { target, confidence } = classify(group.headings, text);
    const isOther = target !== whole.target && target !== 'UNCLEAR' && confidence >= trustedFrom;
    return { group, target, chars: text.length, isApart: isOther && text.trim().length >= ownTopicCharsMin };
  });
  const apart = parts.filter(({ isApart }) => isApart);
  if (apart.length === 0) return [all];
  const sum = (list: readonly { readonly chars: number }[]): number =>
    list.reduce((total, { chars }) => total + chars, 0);
  const isCollection = sum(apart) > sum(parts) * collectionShare;
  const groups: SectionGroup[] = [];
  const rest: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (!part.isApart && !isCollection) rest.push(...part.group.sections);
    else if (at > 0 && parts[at - 1]?.target === part.target && parts[at - 1]?.isApart === part.isApart) {
      const last = groups.pop();
      groups.push(groupOf(sections, [...(last?.sections ?? []), ...part.group.sections], 'section'));
    } else groups.push(part.group);
  }
  return rest.length === 0 ? groups : [groupOf(sections, rest, 'note'), ...groups];
}

/** The entries of a journal, or null where the note is none: two dates or more head its parts. */
function journalEntries(sections: readonly NoteSection[]): readonly (readonly number[])[] | null {
  const dates = sections.map(({ headings }) => headings.findLast(isDateLine) ?? '');
  if (new Set(dates.filter((date) => date !== '')).size < 2) return null;
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

function textOf(sections: readonly NoteSection[], places: readonly number[]): string {
  return places.map((at) => sections[at]?.text ?? '').join('');
}
