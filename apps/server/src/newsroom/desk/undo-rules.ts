import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { readerLanguages } from '../../foundation/reader-language.ts';
import { openDrafts } from '../editions/draft-edition.ts';
import type { LaterDecisions } from './journal-store.ts';
import type { JournalAction, JournalEntry, SubjectState } from './journal.ts';
import { citedInDigests } from './restore-digests.ts';

const undoableEdits: ReadonlySet<string> = new Set(['drop', 'add', 'pin', 'move', 'rewrite', 'note']);
/** Those with an inverse, and the decisions after which an older one of the same subject is not undone. */
const rivals: Partial<Readonly<Record<JournalAction, readonly JournalAction[]>>> = {
  select: ['select', 'unselect'],
  unselect: ['select', 'unselect'],
  correct: ['correct'],
  retitle: ['retitle'],
  'rewrite-digest': ['rewrite-digest'],
  merge: ['merge', 'split'],
  split: ['retitle', 'merge', 'split'],
  hold: ['hold', 'drop', 'release', 'accept', 'reject'],
  drop: ['hold', 'drop', 'release', 'accept', 'reject'],
  release: ['hold', 'drop', 'release', 'accept', 'reject'],
  accept: ['hold', 'drop', 'release', 'accept', 'reject', 'reopen'],
  dismiss: [],
  pause: ['pause', 'resume'],
  resume: ['pause', 'resume'],
  'change-tier': ['change-tier'],
  'change-holds': ['change-holds'],
  'change-owner': ['change-owner'],
  'edit-entry': ['edit-entry'],
};

/** Whether the entry has an inverse at all; later decisions may stand in its way. */
export function hasInverse(entry: JournalEntry, now: EpochMicroseconds): boolean {
  const { action, subject, undoneBy, isErased } = entry;
  if (undoneBy !== null || entry.actor.kind === 'rule') return false;
  if (action.startsWith('draft-'))
    return (
      undoableEdits.has(action.slice('draft-'.length)) &&
      openDrafts(now).some(({ kind, period }) => kind === subject.kind && period === subject.id)
    );
  if (isErased || rivals[action] === undefined) return false;
  if (action === 'correct') return subject.kind === 'item' && entry.before !== null;
  if (action === 'change-owner') return entry.before?.kind === 'source' && entry.before.owner !== undefined;
  if (action === 'rewrite-digest') return entry.before?.kind === 'story' && entry.after?.kind === 'story';
  if (action === 'merge') return entry.before?.kind === 'story' && entry.before.merge !== undefined;
  if (action === 'split') return entry.after?.kind === 'story' && entry.after.opened !== undefined;
  if (['hold', 'drop', 'release', 'accept', 'edit-entry'].includes(action))
    return entry.before?.kind === 'entry';
  return true;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** The decisions that an undo of the entry would undo as well, and those that an undo would ignore. */
export function laterDecisionsOf(entry: JournalEntry): readonly LaterDecisions[] {
  const { id, action, subject, detail } = entry;
  const actions = rivals[action] ?? [];
  const changed = { detail: 'changed', values: textsOf(detail['changed']) } as const;
  // One item of a reading group is selected at most.
  if (action === 'select' || action === 'unselect')
    return [{ id, subjects: [subject.id, textOf(detail['replaced'])], groupsOf: [subject.id], actions }];
  if (action === 'rewrite-digest')
    return [
      { id, subjects: [subject.id], actions, overlap: changed },
      // The undo of a merge returns the digest that the story had at that time.
      { id, subjects: [], mergedInto: [subject.id], actions: ['merge'] },
    ];
  if (action === 'correct')
    return [
      { id, subjects: [subject.id], actions, overlap: changed },
      ...ofCitingDigests(entry),
      ...ofRestoredTitle(entry),
      ...ofRestoredDigests(entry),
    ];
  if (action === 'merge') {
    const subjects = [subject.id, textOf(detail['into'])];
    const overlap = { detail: 'items', values: textsOf(detail['items']) } as const;
    return [{ id, subjects, actions, overlap }, ...ofRestoredDigests(entry)];
  }
  if (action !== 'split') return [{ id, subjects: [subject.id], actions }];
  const opened = [textOf(detail['storyId'])];
  return [
    { id, subjects: opened, actions: [...actions, 'rewrite-digest'] },
    // The remaining story must be a story of its own, to which the items can return.
    { id, subjects: [subject.id], actions: ['merge'] },
    // The undo would take a story along that was merged into the opened one, and that merge could not be undone.
    { id, subjects: [], mergedInto: opened, actions: ['merge'] },
    ...ofRestoredDigests(entry),
  ];
}

/** A correction of words, also an undo, deletes the digests that cite the item: first those that editors wrote since. */
function ofCitingDigests({ id, subject, detail }: JournalEntry): readonly LaterDecisions[] {
  if (!textsOf(detail['changed']).some((part) => part !== 'category')) return [];
  const overlap = { detail: 'cites', values: [subject.id] } as const;
  return [{ id, subjects: [], storiesOf: [subject.id], actions: ['rewrite-digest'], overlap }];
}

/** An undo of a correction returns the title that the story had: first others that changed this title since. */
function ofRestoredTitle({ id, detail }: JournalEntry): readonly LaterDecisions[] {
  const { retitled } = detail;
  if (typeof retitled !== 'string') return [];
  return [
    { id, subjects: [retitled], actions: ['retitle', 'split', 'merge'] },
    {
      id,
      subjects: [],
      itemsOf: [retitled],
      actions: ['correct'],
      overlap: { detail: 'retitled', values: [retitled] },
    },
  ];
}

/** An undo returns the digests of before: first others that changed them since, or corrected an item that they cite. */
function ofRestoredDigests({ id, subject, detail, before }: JournalEntry): readonly LaterDecisions[] {
  const [storyIds, cited]: readonly [readonly string[], readonly string[]] =
    before?.kind === 'item' && before.story?.digests !== undefined
      ? [[before.story.id], citedInDigests(before.story.digests)]
      : before?.kind === 'story' && before.merge !== undefined
        ? [[subject.id, textOf(detail['into'])], before.merge.citedItemIds]
        : before?.kind === 'story' && before.split !== undefined
          ? [[subject.id], citedInDigests(before.split)]
          : [[], []];
  return [
    { id, subjects: storyIds, actions: ['rewrite-digest', 'split', 'merge'] },
    { id, subjects: cited, actions: ['correct'], overlap: wordsOfItems },
  ];
}

const wordsOfItems = { detail: 'changed', values: ['title', 'summary'] } as const;

/** The subject whose state an undo depends on, and whether it is still as the entry left it. */
export function stateToUndo(entry: JournalEntry): {
  readonly subject: JournalEntry['subject'];
  readonly isAsLeft: (current: SubjectState | null) => boolean;
} {
  const { action, subject, after, detail } = entry;
  if (action === 'split' && after?.kind === 'story' && after.opened !== undefined) {
    const { id, title, itemIds } = after.opened;
    return {
      subject: { kind: 'story', id },
      isAsLeft: (current) =>
        current?.kind === 'story' &&
        current.title === title &&
        itemIds.every((itemId) => (current.itemIds as readonly string[]).includes(itemId)),
    };
  }
  const isAsLeft = (current: SubjectState | null): boolean => {
    if (action === 'merge') return true;
    if (action === 'dismiss') return true;
    if (current === null || after === null || current.kind !== after.kind) return false;
    if (current.kind === 'item' && after.kind === 'item') {
      if (action === 'correct')
        return textsOf(detail['changed']).every(
          (part) => current[part as 'title'] === after[part as 'title'],
        );
      const isAlone = action === 'select' || current.representative === undefined;
      return current.selected === after.selected && current.reason === after.reason && isAlone;
    }
    if (current.kind === 'story' && after.kind === 'story') {
      const { digests } = after;
      if (digests === undefined) return current.title === after.title;
      return readerLanguages.every(
        (language) =>
          digests[language] === undefined ||
          canonicalJson(digests[language]) === canonicalJson(current.digests?.[language] ?? null),
      );
    }
    if (current.kind === 'source' && after.kind === 'source') {
      if (action === 'change-tier') return current.tier === after.tier;
      if (action === 'change-owner')
        return current.owner === after.owner && current.syndicate === after.syndicate;
      return action === 'change-holds' ? current.holds === after.holds : current.state === after.state;
    }
    if (current.kind !== 'entry' || after.kind !== 'entry') return true;
    if (action === 'edit-entry')
      return !current.isPublished && canonicalJson(current.words) === canonicalJson(after.words);
    // Its publisher, or another editor, may have edited it since.
    const asLeft = { title: '', words: null };
    return canonicalJson({ ...current, ...asLeft }) === canonicalJson({ ...after, ...asLeft });
  };
  return { subject, isAsLeft };
}
