import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { readEntryStates } from './entry-state-store.ts';
import { findOverruled } from './journal-store.ts';
import type { JournalEntry, SubjectState } from './journal.ts';
import { readSourceStates } from './source-state-store.ts';
import { readItemStates, readStoryStates } from './subject-state-store.ts';
import { hasInverse, laterDecisionsOf, stateToUndo } from './undo-rules.ts';

/** The entries that can be undone now. The undo itself checks again, under locks. */
export async function readUndoable(
  database: Database,
  entries: readonly JournalEntry[],
  now: EpochMicroseconds,
): Promise<ReadonlySet<string>> {
  const candidates = entries.filter((entry) => hasInverse(entry, now));
  const edits = candidates.filter(({ action }) => action.startsWith('draft-'));
  const others = candidates.filter(({ action }) => !action.startsWith('draft-'));
  const overruled = await findOverruled(database, others.flatMap(laterDecisionsOf));
  const checks = others
    .filter(({ id }) => !overruled.has(id))
    .map((entry) => ({ id: entry.id, action: entry.action, detail: entry.detail, ...stateToUndo(entry) }));
  const idsOf = (kind: JournalEntry['subject']['kind']): readonly string[] =>
    checks.filter(({ subject }) => subject.kind === kind).map(({ subject }) => subject.id);
  const states: ReadonlyMap<string, SubjectState> = new Map<string, SubjectState>([
    ...(await readItemStates(database, idsOf('item'))),
    ...(await readEntryStates(database, idsOf('entry'))),
    ...(await readSourceStates(database, idsOf('source'))),
  ]);
  const stories = await readStoryStates(database, idsOf('story'));
  const isPossible = ({ action, detail, subject, isAsLeft }: (typeof checks)[number]): boolean => {
    if (action === 'dismiss') return true;
    if (subject.kind !== 'story') return isAsLeft(states.get(subject.id) ?? null);
    const story = stories.get(subject.id);
    if (story === undefined) return false;
    if (action === 'merge') return story.mergedInto === detail['into'];
    return story.mergedInto === null && isAsLeft(story.state);
  };
  return new Set([...edits, ...checks.filter(isPossible)].map(({ id }) => id));
}
